import { signal } from '@preact/signals'
import createClient from 'openapi-fetch'
import { learnNames } from '../app/names.ts'
import type { paths } from '../generated/api.ts'
import { accessToken, renew } from '../session/session.ts'
import { type ProblemBody, Refusal } from './refusal.ts'

/** Whether the last request could not reach the server. */
export const isOffline = signal(false)

/**
 * A client of the API, typed by its OpenAPI document. Answers are JSON, refusals `application/problem+json`. Only the
 * ledger's CSV file is neither.
 */
export const api = createClient<paths, `application/${string}json`>({ baseUrl: '', fetch: send })

/** Sends a request with the access token; renews the token once where it has run out. */
async function send(request: Request): Promise<Response> {
  const first = await attempt(request)
  if (first.status !== 401) return first
  return (await renew()) ? attempt(request) : first
}

async function attempt(request: Request): Promise<Response> {
  // A body can be read once, and `send` may attempt the request twice.
  const copy = request.clone()
  copy.headers.set('authorization', `Bearer ${accessToken() ?? ''}`)
  try {
    const response = await fetch(copy)
    isOffline.value = false
    return response
  } catch {
    isOffline.value = true
    throw new Refusal({ code: 'offline', status: 0 })
  }
}

/** A change that can be kept and sent later. */
export type Change = {
  /** `PATCH` by default. */
  method?: 'PATCH' | 'POST' | 'DELETE'
  path: string
  body?: object
  etag?: string | undefined
  /** The idempotency key, by which a change that is sent twice is carried out once. */
  key?: string
}

/**
 * Sends a change; the request goes on when the reader leaves the page. Returns the answer's body. Throws a `Refusal`
 * where the change is not carried out.
 */
export async function sendChange({ method = 'PATCH', path, body, etag, key }: Change): Promise<unknown> {
  const headers = {
    ...(body && { 'content-type': 'application/json' }),
    ...(etag !== undefined && { 'if-match': etag }),
    ...(key !== undefined && { 'idempotency-key': key }),
  }
  const content = body ? JSON.stringify(body) : null
  const request = new Request(path, { method, body: content, headers, keepalive: true })
  const response = await send(request)
  const answer: unknown = await response.json().catch(() => undefined)
  if (!response.ok) throw refusalOf(answer, response)
  return answer
}

type Outcome<T> = { data?: T; error?: unknown; response: Response }

/** The body of an answer, with its `ETag` where it has one. */
export type Answer<T> = { value: T; etag: string | undefined }

/**
 * Awaits a call's answer, and keeps the names in it for pages that have only ids. Throws a `Refusal` for a problem, and
 * for a server that cannot be reached.
 */
export async function ask<T>(call: Promise<Outcome<T>>): Promise<Answer<T>> {
  const { data, error, response } = await call
  if (!response.ok) throw refusalOf(error, response)
  learnNames(data)
  return { value: data as T, etag: response.headers.get('etag') ?? undefined }
}

/** Awaits a call's answer and takes its body alone. */
export const read = async <T>(call: Promise<Outcome<T>>): Promise<T> => (await ask(call)).value

function refusalOf(error: unknown, { status }: Response): Refusal {
  const isProblem = typeof error === 'object' && error !== null && 'code' in error
  const problem: ProblemBody = isProblem ? (error as ProblemBody) : { code: 'unavailable', status }
  return new Refusal(problem)
}
