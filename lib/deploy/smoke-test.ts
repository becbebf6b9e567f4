import { setTimeout as wait } from 'node:timers/promises'

type Expected = {
  path: string
  status: number
  /** A part of the body, which is compared in lower case. */
  holds: string
}

/** One request for each kind of answer, in this order: one without the table, a refusal, one from the table, and a page. */
const EXPECTED: readonly Expected[] = [
  { path: '/health', status: 200, holds: '"status":"ok"' },
  { path: '/auth/profile', status: 401, holds: '"code":"unauthenticated"' },
  { path: '/listings', status: 200, holds: '"items":' },
  { path: '/console', status: 200, holds: '<!doctype html>' },
]

type SmokeTest = {
  /** Where callers reach the service, such as `https://d111111abcdef8.cloudfront.net`. */
  origin: string
  fetch: typeof globalThis.fetch
  attempts: number
  pauseMilliseconds: number
}

const TIMEOUT_MILLISECONDS = 30_000

/** Calls a released stage as strangers do. Returns a sentence for each request that was not answered as expected. */
export async function smokeTest(options: SmokeTest): Promise<string[]> {
  const failures = await Promise.all(EXPECTED.map((expected) => failureOf(expected, options)))
  return failures.filter((failure) => failure !== undefined)
}

async function failureOf(
  expected: Expected,
  { origin, fetch, attempts, pauseMilliseconds }: SmokeTest,
): Promise<string | undefined> {
  let failure: string | undefined
  for (let attempt = 1; attempt <= attempts; attempt += 1) {
    failure = await failureOnce(expected, origin, fetch)
    if (failure === undefined) return undefined
    if (attempt < attempts) await wait(pauseMilliseconds)
  }
  return failure
}

async function failureOnce(
  { path, status, holds }: Expected,
  origin: string,
  fetch: typeof globalThis.fetch,
): Promise<string | undefined> {
  const request = `GET ${origin}${path}`
  try {
    const response = await fetch(`${origin}${path}`, { signal: AbortSignal.timeout(TIMEOUT_MILLISECONDS) })
    const body = await response.text()
    if (response.status !== status)
      return `${request} answered ${response.status} instead of ${status}: ${body.slice(0, 200)}`
    return body.toLowerCase().includes(holds) ? undefined : `${request} answered without ${holds}`
  } catch (error) {
    const { cause, message } = error as Error
    return `${request} was not answered: ${cause instanceof Error ? cause.message : message}`
  }
}

/** Returns the origin of a stage by its stack's outputs. */
export function originOf(outputs: ReadonlyMap<string, string>): string {
  const domain = outputs.get('FrontDomain')
  return domain === undefined ? (outputs.get('HttpApiUrl') ?? '') : `https://${domain}`
}
