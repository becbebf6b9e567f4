import type { Route } from '#lib/http/route'
import type { Request } from './http-event.ts'

/** How a rehearsal reaches the functions, however they run. */
export type Stage = {
  /** Sends a request to the function of this route. Returns the parsed body; throws when it is refused. */
  ask: (route: Route, request?: RehearsedRequest) => Promise<unknown>
  /** Invokes a job with an event. */
  run: (job: string, event: unknown) => Promise<unknown>
  /** All functions that there are; one without routes is a job. */
  functions: readonly { name: string; routes: readonly Route[] }[]
  /** Proves a user's e-mail, as the link in a mail would. */
  proveEmail: (userId: string) => Promise<void>
  /** An administrator's access token. */
  consoleToken: string
  /** The secret of the payment provider `standard-webhooks`. */
  webhookSecret: string
}

/** A request; `mayBeRefused` accepts a 4xx answer where what leads to it is what is rehearsed. */
export type RehearsedRequest = Request & { mayBeRefused?: boolean }

type Answer = { statusCode?: number; body?: string; headers?: Record<string, string> }

/**
 * The parsed JSON body of an answer; undefined for another body, such as a page. Throws when the answer is a refusal that
 * the request did not foresee.
 */
export function bodyOf(route: string, { mayBeRefused = false }: RehearsedRequest, result: unknown): unknown {
  const { statusCode = 500, body, headers = {} } = result as Answer
  if (statusCode > (mayBeRefused ? 499 : 399)) throw new Error(`${route} answered ${statusCode}: ${body}`)
  return body && headers['content-type']?.includes('json') ? JSON.parse(body) : undefined
}
