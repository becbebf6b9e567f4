import type { Dependencies } from '#lib/config/config'
import type { GivenDeps } from '#lib/http/access'
import type { EncodedAnswer } from '#lib/http/reply'
import type { Clock } from '#lib/kernel/clock'
import type { IdKind, NewId } from '#lib/kernel/id'
import type { Once, OnceAs } from '#lib/kernel/once'
import type { Commit, Write } from '#lib/kernel/write'

/** The record of a request with an `Idempotency-Key`. */
export type IdempotencyRecord = {
  /** Hash of the route and the validated input: the same key with another one is refused. */
  fingerprint: string
  /** When the request was claimed; 0 once it has failed, so that a repetition may continue it at once. */
  claimedAtMilliseconds: number
  /** The id reserved for what the request makes. Every repetition that continues the request uses it. */
  reservedId: string | null
  /** The first success; null before. */
  answer: EncodedAnswer | null
  expiresAtSeconds: number
}

/** Where the records are kept. Keys are the caller's own: two callers never share one. */
export type IdempotencyStore = {
  find: (caller: string, key: string) => Promise<IdempotencyRecord | undefined>
  put: (caller: string, key: string, record: IdempotencyRecord) => Write
  remove: (caller: string, key: string) => Write
  commit: Commit
}

/** Erases people from the records that are kept. */
export type IdempotencyErasure = {
  /** Removes every record of a caller, since answers in them may name the caller. Safe to repeat. */
  forget: (caller: string) => Promise<void>
  /** Replaces a person by null in the answers that are stored for a caller. Safe to repeat. */
  redact: (caller: string, person: string) => Promise<void>
}

/** The `once` that a use case receives, to commit the record with its own writes. `Kind`: that of the reserved id, or null. */
export type OnceOf<Kind, Answer> = Kind extends IdKind ? OnceAs<Kind, Answer> : Once<Answer>

/** The dependencies for storing a record. */
export type RecordDeps = {
  idempotency: IdempotencyStore
  now: Clock
  newId: NewId
}

/**
 * The way an endpoint honours `Idempotency-Key`: `recordedIn` stores the answer in the use case's own transaction;
 * `claimedIn` claims the key before the use case runs.
 */
export type Idempotency<Kind = unknown> = {
  /** The kind of id that is reserved; null reserves none. */
  readonly reserves: Kind
  /** Whether a request without a key is refused: `idempotency_key_required`. */
  readonly isDemanded: boolean
  /** Added to the endpoint's own dependencies; `around` receives them all. */
  readonly deps: Dependencies
  /** Runs the request, or returns the first answer of its key. `run` gets the `once` of the use case, see `OnceOf`. */
  around(
    exchange: Exchange,
    deps: GivenDeps,
    run: (once: unknown) => Promise<EncodedAnswer>,
  ): Promise<EncodedAnswer>
}

/** One request that may carry a key. */
export type Exchange = {
  route: string
  caller: string
  /** Undefined without one in the request. */
  key: string | undefined
  input: unknown
  encode: (outcome: unknown) => EncodedAnswer
}
