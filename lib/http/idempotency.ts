import { createHash } from 'node:crypto'
import type { Clock } from '#lib/kernel/clock'
import { DomainError, invalidField } from '#lib/kernel/domain-error'
import type { Id, IdKind, NewId } from '#lib/kernel/id'
import type { Commit, Write } from '#lib/kernel/write'
import { asDomainError, PROBLEMS } from './problem.ts'
import type { EncodedAnswer } from './reply.ts'

const LIFETIME_SECONDS = 24 * 60 * 60
/** A claim older than this belongs to a function that has died: the same request may take it over. */
const CLAIM_SECONDS = 60

/** What is kept of a request that carried an `Idempotency-Key`. */
export type IdempotencyRecord = {
  /** Hash of the route and the validated input: the same key with another one is refused. */
  fingerprint: string
  /** When the request was claimed; 0 once it has failed and anyone may carry it on. */
  claimedAtMilliseconds: number
  /** The id set aside for what is being made, the same however often the request is carried on. */
  reservedId: string | null
  /** The first success; null while the request is being carried out. */
  answer: EncodedAnswer | null
  expiresAtSeconds: number
}

/** Where the records are kept. Keys are the caller's own: two callers never share one. */
export type IdempotencyStore = {
  find: (caller: string, key: string) => Promise<IdempotencyRecord | undefined>
  put: (caller: string, key: string, record: IdempotencyRecord) => Write
  remove: (caller: string, key: string) => Write
  /** Removes all that is kept of a caller's keys: the answers in it may name them. Safe to repeat. */
  forget: (caller: string) => Promise<void>
  commit: Commit
}

type AnyReply = { status: number; body?: unknown; headers?: Record<string, string> }

/** What `run` is given of it. */
export type IdempotencyContext<Kind> = {
  /** The writes that make this answer the one every repetition gets; part of `run`'s own transaction. */
  receipt: (reply: AnyReply) => Write[]
} & (Kind extends IdKind
  ? {
      /** The id set aside for what is made. `resumed`: an earlier try may have got anywhere with it. */
      claim: { id: Id<Kind>; resumed: boolean }
    }
  : unknown)

/** How an endpoint honours `Idempotency-Key`; either `recorded` or one made by `claimed`. */
export type Idempotency<Kind = unknown> = {
  readonly reserves: Kind
  readonly around: <T>(
    exchange: Exchange,
    run: (context: IdempotencyContext<never>) => Promise<T>,
  ) => Promise<T | EncodedAnswer>
}

/** One request that may carry a key. */
export type Exchange = {
  route: string
  caller: string
  key: string | undefined
  input: unknown
  deps: { idempotency: IdempotencyStore; now: Clock; newId: NewId }
  encode: (reply: AnyReply) => EncodedAnswer
}

/**
 * The key is recorded with the change itself, in one transaction: the first success answers every repetition
 * within 24 hours, and of two at once one wins and answers both.
 */
export const recorded: Idempotency<null> = {
  reserves: null,
  around: async (exchange, run) => {
    if (exchange.key === undefined) return run(contextOf(exchange, () => []))
    const lookup = async () => replayOf(exchange, await findLive(exchange))
    const earlier = await lookup()
    if (earlier) return earlier
    try {
      return await run(contextOf(exchange, (answer) => [recordOf(exchange, { answer }, keyTaken)]))
    } catch (error) {
      if (!(error instanceof KeyTaken)) throw error
      const winner = await lookup()
      if (winner) return winner
      throw new DomainError('idempotency_in_progress', retrySoon)
    }
  },
}

/**
 * For endpoints that call a provider: the key and an id of `kind` are claimed before `run`. Meanwhile another
 * request with the key gets `idempotency_in_progress`. A refusal gives the claim up; a failure of ours or of
 * the provider leaves it with its id for the next try, and so does a function that dies, after 60 s.
 */
export const claimed = <const Kind extends IdKind>(kind: Kind): Idempotency<Kind> => ({
  reserves: kind,
  around: async (exchange, run) => {
    const { deps } = exchange
    if (exchange.key === undefined) {
      return run(contextOf(exchange, () => [], { id: deps.newId(kind), resumed: false }))
    }
    const existing = await findLive(exchange)
    const earlier = replayOf(exchange, existing)
    if (earlier) return earlier
    const { reservedId, claimedAtMilliseconds } = await takeClaim(exchange, existing, kind)
    try {
      const claim = { id: reservedId, resumed: existing !== undefined }
      return await run(contextOf(exchange, (answer) => [recordOf(exchange, { answer, reservedId })], claim))
    } catch (error) {
      await giveUp(exchange, { reservedId, claimedAtMilliseconds }, error)
      throw error
    }
  },
})

type Claim = { reservedId: string; claimedAtMilliseconds: number }

const contextOf = (
  { encode }: Exchange,
  receipt: (answer: EncodedAnswer) => Write[],
  claim?: { id: string; resumed: boolean },
): IdempotencyContext<never> =>
  ({ receipt: (reply: AnyReply) => receipt(encode(reply)), claim }) as IdempotencyContext<never>

/** What is kept under the key, if it has not expired: the table removes expired items only in its own time. */
async function findLive({ deps, caller, key = '' }: Exchange): Promise<IdempotencyRecord | undefined> {
  if (!/^[\x21-\x7e]{1,255}$/.test(key))
    throw invalidField('Idempotency-Key', 'must be 1 to 255 visible ASCII characters')
  const record = await deps.idempotency.find(caller, key)
  return record && record.expiresAtSeconds * 1000 > deps.now().getTime() ? record : undefined
}

function replayOf(exchange: Exchange, record: IdempotencyRecord | undefined): EncodedAnswer | undefined {
  if (record === undefined) return undefined
  if (record.fingerprint !== fingerprint(exchange)) throw new DomainError('idempotency_key_reused')
  const { answer } = record
  return answer ? { ...answer, headers: { ...answer.headers, 'idempotent-replayed': 'true' } } : undefined
}

async function takeClaim(
  exchange: Exchange,
  existing: IdempotencyRecord | undefined,
  kind: IdKind,
): Promise<Claim> {
  const { deps } = exchange
  const claimedAtMilliseconds = deps.now().getTime()
  const heldSince = existing?.claimedAtMilliseconds ?? 0
  if (claimedAtMilliseconds - heldSince < CLAIM_SECONDS * 1000)
    throw new DomainError('idempotency_in_progress', retrySoon)
  const reservedId = existing?.reservedId ?? deps.newId(kind)
  const inProgress = () => new DomainError('idempotency_in_progress', retrySoon)
  const write = recordOf(exchange, { answer: null, reservedId, claimedAtMilliseconds }, inProgress)
  await deps.idempotency.commit([
    existing ? { ...write, when: { equals: { claimedAtMilliseconds: heldSince, reservedId } } } : write,
  ])
  return { reservedId, claimedAtMilliseconds }
}

async function giveUp(exchange: Exchange, claim: Claim, error: unknown): Promise<void> {
  const { deps, caller, key = '' } = exchange
  const refused = PROBLEMS[asDomainError(error).code][0] < 500
  const when = {
    equals: { claimedAtMilliseconds: claim.claimedAtMilliseconds, reservedId: claim.reservedId },
  }
  const write = refused
    ? deps.idempotency.remove(caller, key)
    : recordOf(exchange, { answer: null, reservedId: claim.reservedId, claimedAtMilliseconds: 0 })
  // Whoever has taken the claim over meanwhile keeps it, and the error that brought us here is the one to tell.
  await deps.idempotency.commit([{ ...write, when }]).catch(() => undefined)
}

function recordOf(exchange: Exchange, known: Partial<IdempotencyRecord>, lost?: () => Error): Write {
  const { deps, caller, key = '' } = exchange
  const nowSeconds = Math.floor(deps.now().getTime() / 1000)
  const record: IdempotencyRecord = {
    fingerprint: fingerprint(exchange),
    claimedAtMilliseconds: 0,
    reservedId: null,
    answer: null,
    expiresAtSeconds: nowSeconds + LIFETIME_SECONDS,
    ...known,
  }
  const write = deps.idempotency.put(caller, key, record)
  if (!lost) return write
  return {
    ...write,
    when: { absentOrBelow: { attribute: 'expiresAtSeconds', value: nowSeconds } },
    otherwise: lost,
  }
}

/** Another request has recorded its answer under the key since this one looked. */
class KeyTaken extends Error {}
const keyTaken = () => new KeyTaken()
const retrySoon = { headers: { 'retry-after': '1' } }

/** Of the route and the validated input, whatever order the caller wrote its fields in. */
const fingerprint = ({ route, input }: Exchange): string =>
  createHash('sha256')
    .update(JSON.stringify([route, input], sorted))
    .digest('base64url')

const sorted = (_name: string, value: unknown): unknown =>
  value !== null && typeof value === 'object' && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
    : value
