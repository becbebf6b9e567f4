import type { Job } from './event-sources.ts'

export type Outcome = { isOk: true; result: unknown } | { isOk: false; error: unknown }

export type Invoke = (job: Job, event: unknown) => Promise<Outcome>

/** Invokes functions as Lambda's API does, through serverless-offline on this port. Never throws. */
export const invoker =
  (lambdaPort: number): Invoke =>
  async ({ functionName }, event) => {
    try {
      const response = await fetch(
        `http://127.0.0.1:${lambdaPort}/2015-03-31/functions/${functionName}/invocations`,
        { method: 'POST', body: JSON.stringify(event) },
      )
      const text = await response.text()
      const result: unknown = text === '' ? null : JSON.parse(text)
      const isOk = response.ok && !response.headers.has('x-amz-function-error')
      return isOk ? { isOk, result } : { isOk, error: result }
    } catch (error) {
      return { isOk: false, error: `${error}` }
    }
  }
