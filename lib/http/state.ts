import type { MultipartPart } from './multipart.ts'

/** What the middlewares of one request learn and hand on to its handler. */
export type State = {
  startedAtMilliseconds: number
  /** The opaque id of whoever calls; log lines and idempotency keys go by it. */
  caller?: string
  actor?: unknown
  params: Record<string, unknown>
  query: unknown
  body: unknown
  files: MultipartPart[]
}

const states = new WeakMap<object, State>()

/** The state that belongs to one invocation, by its Lambda context. */
export function stateOf(context: object): State {
  const known = states.get(context)
  if (known) return known
  const fresh: State = { startedAtMilliseconds: 0, params: {}, query: undefined, body: undefined, files: [] }
  states.set(context, fresh)
  return fresh
}
