import { createHash } from 'node:crypto'
import type { Dependencies, Dependency } from '#lib/config'
import type { Clock } from '#lib/kernel/clock'
import { DomainError, invalidField } from '#lib/kernel/domain-error'
import type { IdKind, NewId } from '#lib/kernel/id'
import type { Once, OnceAs } from '#lib/kernel/once'
import type { Commit, Write } from '#lib/kernel/write'
import { asDomainError } from './fault.ts'
import { PROBLEMS } from './problems.ts'
import type { EncodedAnswer } from './reply.ts'
import { clock, ids } from './runtime.ts'

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

/** What a use case is given, by the kind of id that is set aside for what it makes; null sets none aside. */
export type OnceOf<Kind, Answer> = Kind extends IdKind ? OnceAs<Kind, Answer> : Once<Answer>

/** What recording takes; the store is named by who offers the record, the rest is the builder's. */
type RecordDeps = { idempotency: IdempotencyStore; now: Clock; newId: NewId }

/** How an endpoint honours `Idempotency-Key`; made by `recordedIn` or `claimedIn`. */
export type Idempotency<Kind = unknown> = {
  readonly reserves: Kind
  readonly deps: Dependencies
  readonly around: (
    exchange: Exchange,
    deps: never,
    run: (once: unknown) => Promise<EncodedAnswer>,
  ) => Promise<EncodedAnswer>
}

/** One request that may carry a key. */
export type Exchange = {
  route: string
  caller: string
  key: string | undefined
  input: unknown
  encode: (outcome: unknown) => EncodedAnswer
}

const depsOf = (store: Dependency<IdempotencyStore>) => ({ idempotency: store, now: clock, newId: ids })

/**
 * The key is recorded with the change itself, in one transaction: the first success answers every repetition
 * within 24 hours, and of two at once one wins and answers both.
 */
export const recordedIn = (store: Dependency<IdempotencyStore>): Idempotency<null> => ({
  reserves: null,
  deps: depsOf(store),
  around: async (sent, deps: RecordDeps, run) => {
    const exchange = { ...sent, deps }
    if (exchange.key === undefined) return run({ receipt: () => [] })
    const lookup = async () => replayOf(exchange, await findLive(exchange))
    const earlier = await lookup()
    if (earlier) return earlier
    try {
      return await run({
        receipt: (outcome: unknown) => [recordOf(exchange, { answer: exchange.encode(outcome) }, keyTaken)],
      })
    } catch (error) {
      if (!(error instanceof KeyTaken)) throw error
      const winner = await lookup()
      if (winner) return winner
      throw new DomainError('idempotency_in_progress', retrySoon)
    }
  },
})

/**
 * For endpoints that call a provider: the key and an id of a kind are claimed before `run`. Meanwhile another
 * request with the key gets `idempotency_in_progress`. A refusal gives the claim up; a failure of ours or of
 * the provider leaves it with its id for the next try, and so does a function that dies, after 60 s.
 */
export const claimedIn =
  (store: Dependency<IdempotencyStore>) =>
  <const Kind extends IdKind>(kind: Kind): Idempotency<Kind> => ({
    reserves: kind,
    deps: depsOf(store),
    around: async (sent, deps: RecordDeps, run) => {
      const exchange = { ...sent, deps }
      if (exchange.key === undefined) return run({ id: deps.newId(kind), resumed: false, receipt: () => [] })
      const existing = await findLive(exchange)
      const earlier = replayOf(exchange, existing)
      if (earlier) return earlier
      const { reservedId, claimedAtMilliseconds } = await takeClaim(exchange, existing, kind)
      try {
        return await run({
          id: reservedId,
          resumed: existing !== undefined,
          receipt: (outcome: unknown) => [
            recordOf(exchange, { answer: exchange.encode(outcome), reservedId }),
          ],
        })
      } catch (error) {
        await giveUp(exchange, { reservedId, claimedAtMilliseconds }, error)
        throw error
      }
    },
  })

type Claim = { reservedId: string; claimedAtMilliseconds: number }

type Recorded = Exchange & { deps: RecordDeps }

/** What is kept under the key, if it has not expired: the table removes expired items only in its own time. */
async function findLive({ deps, caller, key = '' }: Recorded): Promise<IdempotencyRecord | undefined> {
  if (!/^[\x21-\x7e]{1,255}$/.test(key))
    throw invalidField('Idempotency-Key', 'must be 1 to 255 visible ASCII characters')
  const record = await deps.idempotency.find(caller, key)
  return record && record.expiresAtSeconds * 1000 > deps.now().getTime() ? record : undefined
}

function replayOf(exchange: Recorded, record: IdempotencyRecord | undefined): EncodedAnswer | undefined {
  if (record === undefined) return undefined
  if (record.fingerprint !== fingerprint(exchange)) throw new DomainError('idempotency_key_reused')
  const { answer } = record
  return answer ? { ...answer, headers: { ...answer.headers, 'idempotent-replayed': 'true' } } : undefined
}

async function takeClaim(
  exchange: Recorded,
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

async function giveUp(exchange: Recorded, claim: Claim, error: unknown): Promise<void> {
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

function recordOf(exchange: Recorded, known: Partial<IdempotencyRecord>, lost?: () => Error): Write {
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
const retrySoon = { retryAfterSeconds: 1 }

/** Of the route and the validated input, whatever order the caller wrote its fields in. */
const fingerprint = ({ route, input }: Exchange): string =>
  createHash('sha256')
    .update(JSON.stringify([route, input], sorted))
    .digest('base64url')

const sorted = (_name: string, value: unknown): unknown =>
  value !== null && typeof value === 'object' && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
    : value
