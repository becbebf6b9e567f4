import * as z from 'zod'
import { type Clock, DAY_SECONDS, secondsAfter, Timestamp, timestamp, unixSeconds } from '#lib/kernel/clock'
import { cutText } from '#lib/kernel/cut-text'
import { CallbackId, derivedId, type NewId, PaymentId } from '#lib/kernel/id'
import { sha256 } from '#lib/kernel/signatures'
import { Statement, withoutWords } from '#lib/payments/state/fact'
import { PayoutClaim } from '#lib/providers/payout-port'
import type { CallbackRequest, PaymentProvider, ProviderEvent } from '#lib/providers/provider'

const KEPT_SECONDS = 90 * DAY_SECONDS

/** A waiting callback has an entry under each reference, and a transaction holds a hundred writes. */
const REFERENCES_MAX = 50

/** Returns those references of an event that its callback keeps. */
export const keptReferences = ({ references }: Pick<ProviderEvent, 'references'>): string[] =>
  references.slice(0, REFERENCES_MAX)

/**
 * A callback is UNMATCHED until it was processed, so that an interrupted one is found again; only UNMATCHED ones are
 * processed.
 */
export const CallbackStatus = z
  .enum(['PROCESSED', 'IGNORED', 'UNMATCHED', 'MISMATCHED', 'CONFLICT', 'FAILED'])
  .meta({ id: 'CallbackStatus' })

/** A verified callback, or one item of it, as it is stored: once, raw, with its hash, for 90 days. */
export const Callback = z.object({
  id: CallbackId,
  provider: z.string(),
  eventId: z.string(),
  type: z.string(),
  status: CallbackStatus,
  paymentId: PaymentId.nullable(),
  /** Why it is not PROCESSED, for an administrator. */
  detail: z.string().nullable(),
  references: z.array(z.string()),
  /** Whether it waits for a payment: an entry under each of its references then says so. */
  waits: z.boolean(),
  statement: Statement.nullable(),
  /** The event's claim about a payout of ours; null in events about anything else. */
  payout: PayoutClaim.nullable().default(null),
  /** Whether the statement may be believed; otherwise the provider's API is asked before it is applied. */
  confirmed: z.boolean(),
  /** A hash of what the event says: the same event id with another meaning is a conflict. */
  meaning: z.string(),
  rawBody: z.instanceof(Uint8Array),
  rawBodySha256: z.string(),
  /** Whether raw body, headers and free texts are gone: the payer's account has ended, or it was IGNORED. */
  isErased: z.boolean().default(false),
  /** An administrator's resolution; null unless there was one. */
  resolution: z
    .object({ action: z.string(), paymentId: PaymentId.nullable(), note: z.string() })
    .nullable()
    .default(null),
  /** The provider's `storedHeaders`. */
  headers: z.record(z.string(), z.string()),
  receivedAt: Timestamp,
  processedAt: Timestamp.nullable(),
  expiresAtSeconds: z.int(),
})
export type Callback = z.infer<typeof Callback>

/** A callback as it arrived: the name of its provider account, the provider and the request. */
type ReceivedCallback = {
  name: string
  provider: Pick<PaymentProvider, 'storedHeaders'>
  request: Pick<CallbackRequest, 'rawBody' | 'headers'>
}

/**
 * Builds the callback of an event. Its id is derived from the event's id, so that an event has one record. `isRead`: the
 * statement was read from the provider's API, and is not in the event.
 */
export function callbackOf(
  { name, provider, request }: ReceivedCallback,
  event: ProviderEvent,
  { now, newId }: { now: Clock; newId: NewId },
  { confirmed, isRead = false }: { confirmed: boolean; isRead?: boolean } = { confirmed: true },
): Callback {
  const receivedAt = now()
  const needsProcessing = event.statement !== null || event.payout !== undefined || isRead
  const processedAt = needsProcessing ? null : timestamp(receivedAt)
  const unprocessedStatus = event.fault ? 'FAILED' : 'IGNORED'
  const status = needsProcessing ? 'UNMATCHED' : unprocessedStatus
  const hasFaultyFields = event.errors !== undefined
  const neverHasPayment = status === 'IGNORED' || hasFaultyFields || event.payout !== undefined
  return {
    id: callbackId(newId, [name, event.eventId]),
    provider: name,
    eventId: event.eventId,
    type: event.type,
    status,
    paymentId: null,
    detail: event.fault ?? null,
    references: keptReferences(event),
    waits: false,
    statement: event.statement,
    payout: event.payout ?? null,
    confirmed,
    resolution: null,
    meaning: meaningOf(event),
    rawBody: new Uint8Array(request.rawBody),
    rawBodySha256: sha256(request.rawBody),
    isErased: false,
    headers: Object.fromEntries(
      (provider.storedHeaders ?? []).flatMap((header) => {
        const value = request.headers[header]
        return value === undefined ? [] : [[header, cutText(value, 1000)]]
      }),
    ),
    receivedAt: timestamp(receivedAt),
    processedAt,
    expiresAtSeconds: unixSeconds(secondsAfter(receivedAt, KEPT_SECONDS)),
    // The erasure of a person finds callbacks by their payments. A callback that never has a payment has no statement either,
    // and is stored without texts.
    ...(neverHasPayment && withoutPayer({ statement: null })),
  }
}

/** The statuses of callbacks that an administrator may resolve. */
export const NEEDS_SOMEONE: readonly Callback['status'][] = ['UNMATCHED', 'MISMATCHED', 'CONFLICT', 'FAILED']

/** Whether a callback needs someone. An UNMATCHED callback that does not wait yet is being processed. */
export const needsSomeone = ({ status, waits }: Pick<Callback, 'status' | 'waits'>): boolean =>
  NEEDS_SOMEONE.includes(status) && (status !== 'UNMATCHED' || waits)

/** Whether a callback was never understood: the next one of its event takes its place. */
export const isBroken = ({ detail, statement, references, paymentId }: Callback): boolean =>
  detail !== null && statement === null && references.length === 0 && paymentId === null

/** Replaces everything in a callback that may name its payer. */
export const withoutPayer = ({
  statement,
}: Pick<Callback, 'statement'>): Pick<Callback, 'rawBody' | 'headers' | 'statement' | 'isErased'> => ({
  rawBody: new Uint8Array(),
  headers: {},
  statement: statement && withoutWords(statement),
  isErased: true,
})

/** Builds the record of an event whose id an earlier event of another meaning has used. It changes no payment. */
export const conflictOf = (callback: Callback, first: Callback, newId: NewId): Callback => ({
  ...callback,
  ...(first.isErased && withoutPayer(callback)),
  id: callbackId(newId, [callback.provider, callback.eventId, callback.meaning]),
  status: 'CONFLICT',
  detail: `${first.id} has the same event id and says something else`,
  paymentId: first.paymentId,
  processedAt: callback.receivedAt,
})

/**
 * Derives an id from the time and a hash of the event. The hash alone is the key of the record, so that both an event
 * and an id find the record without an index.
 */
const callbackId = (newId: NewId, identity: string[]): CallbackId =>
  derivedId('callback', newId('callback'), identity)

/** Returns a hash of type, payment, amount, currency and state. A repetition may have another time and wording. */
export function meaningOf({ type, references, statement, payout }: ProviderEvent): string {
  // Leaves out the times. `at: null` serves an event without a statement.
  const { at: _, ...stated } = { at: null, ...statement }
  const timeless = { ...stated, ...('respondBy' in stated && { respondBy: null }) }
  const meaning = [
    type,
    references,
    { ...timeless, code: undefined, message: undefined, reason: undefined },
    ...(payout ? [payout.state?.state] : []),
  ]
  return sha256(JSON.stringify(meaning), 'base64url')
}
