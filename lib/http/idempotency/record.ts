import type { Dependency } from '#lib/config/config'
import type { EncodedAnswer } from '#lib/http/reply'
import { type HttpEvent, header } from '#lib/http/request'
import { clock, ids } from '#lib/http/runtime'
import { DAY_SECONDS, unixSeconds } from '#lib/kernel/clock'
import { DomainError, invalidField } from '#lib/kernel/domain-error'
import { sha256 } from '#lib/kernel/signatures'
import type { Write } from '#lib/kernel/write'
import type { Exchange, Idempotency, IdempotencyRecord, IdempotencyStore, RecordDeps } from './idempotency.ts'

/**
 * Returns the request's `Idempotency-Key`, before its body is read. Throws `idempotency_key_required` for a missing key that
 * the endpoint demands, and `validation_failed` for a key that is not 1 to 255 visible ASCII characters.
 */
export function keyOf(idempotency: Idempotency | undefined, event: HttpEvent): string | undefined {
  const key = idempotency && header(event, 'idempotency-key')
  if (key === undefined) {
    if (idempotency?.isDemanded) throw new DomainError('idempotency_key_required')
    return undefined
  }
  if (!/^[\x21-\x7e]{1,255}$/.test(key))
    throw invalidField('Idempotency-Key', 'must be 1 to 255 visible ASCII characters')
  return key
}

const LIFETIME_SECONDS = DAY_SECONDS

/** The refusal's advice on when to ask again, while a request with the same key is running. */
export const retrySoon = { retryAfterSeconds: 1 }

/** A request that carries a key, and where its record is kept. */
export type Recorded = Exchange & { key: string; deps: RecordDeps }

/** Returns the dependencies for keeping records in a store. */
export const depsOf = (store: Dependency<IdempotencyStore>) => ({
  idempotency: store,
  now: clock,
  newId: ids,
})

/** Returns the record of the key before its end: the table removes expired items only later. */
export async function findLive({ deps, caller, key }: Recorded): Promise<IdempotencyRecord | undefined> {
  const record = await deps.idempotency.find(caller, key)
  return record && record.expiresAtSeconds * 1000 > deps.now().getTime() ? record : undefined
}

/**
 * Returns the recorded answer, marked as a repetition; undefined before there is one. Throws `idempotency_key_reused` if the
 * recorded request is another.
 */
export function replayOf(
  exchange: Recorded,
  record: IdempotencyRecord | undefined,
): EncodedAnswer | undefined {
  if (record === undefined) return undefined
  if (record.fingerprint !== fingerprint(exchange)) throw new DomainError('idempotency_key_reused')
  const { answer } = record
  return answer ? { ...answer, headers: { ...answer.headers, 'idempotent-replayed': 'true' } } : undefined
}

/**
 * Returns the write of a request's record. With `errorIfTaken`, the write fails with the error that it makes, if another
 * request has a record of the key that has not expired.
 */
export function recordOf(
  exchange: Recorded,
  known: Partial<IdempotencyRecord>,
  errorIfTaken?: () => Error,
): Write {
  const { deps, caller, key } = exchange
  const nowSeconds = unixSeconds(deps.now())
  const record: IdempotencyRecord = {
    fingerprint: fingerprint(exchange),
    claimedAtMilliseconds: 0,
    reservedId: null,
    answer: null,
    expiresAtSeconds: nowSeconds + LIFETIME_SECONDS,
    ...known,
  }
  const write = deps.idempotency.put(caller, key, record)
  if (!errorIfTaken) return write
  return {
    ...write,
    // A record that ends in this very second has ended, as `findLive` has it.
    when: { absentOrBelow: { attribute: 'expiresAtSeconds', value: nowSeconds + 1 } },
    otherwise: errorIfTaken,
  }
}

/** Hashes the route and the validated input, in any order of the fields. */
const fingerprint = ({ route, input }: Exchange): string =>
  sha256(JSON.stringify([route, input], sorted), 'base64url')

const sorted = (_name: string, value: unknown): unknown =>
  value !== null && typeof value === 'object' && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
    : value
