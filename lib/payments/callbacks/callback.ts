import { createHash } from 'node:crypto'
import * as z from 'zod'
import { type Clock, secondsAfter, Timestamp, timestamp } from '#lib/kernel/clock'
import { CallbackId, derivedId, type NewId, PaymentId } from '#lib/kernel/id'
import { Statement, withoutWords } from '#lib/payments/fact'
import { PayoutClaim } from '#lib/payments/provider/payout-port'
import type { CallbackRequest, PaymentProvider, ProviderEvent } from '#lib/payments/provider/provider'

const KEPT_SECONDS = 90 * 24 * 60 * 60

/**
 * A callback is UNMATCHED until it was processed, so that an interrupted one is found again; only UNMATCHED ones are
 * processed.
 */
export const CallbackStatus = z
  .enum(['PROCESSED', 'IGNORED', 'UNMATCHED', 'MISMATCHED', 'CONFLICT', 'FAILED'])
  .meta({ id: 'CallbackStatus' })

/** A verified callback, or one item of it, as the callbacks keeps it: once, raw, with its hash, for 90 days. */
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
  /** Whether word was left under its references that it waits for a payment. */
  waits: z.boolean(),
  statement: Statement.nullable(),
  /** The event's claim about a payout of ours; null in events about anything else. */
  payout: PayoutClaim.nullable().default(null),
  /** Whether the statement may be believed; otherwise the provider's API is asked before it is applied. */
  confirmed: z.boolean(),
  /** Hash of what the event says in our words: the same event id with another one is a conflict. */
  meaning: z.string(),
  rawBody: z.instanceof(Uint8Array),
  rawBodySha256: z.string(),
  /** Whether raw body, headers and words are gone: the payer's account has ended, or it was IGNORED. The hash stays. */
  isErased: z.boolean().default(false),
  /** An administrator's resolution; null unless there was one. */
  resolution: z
    .object({ action: z.string(), paymentId: PaymentId.nullable(), note: z.string() })
    .nullable()
    .default(null),
  /** The headers that `interpret` read. */
  headers: z.record(z.string(), z.string()),
  receivedAt: Timestamp,
  processedAt: Timestamp.nullable(),
  expiresAtSeconds: z.int(),
})
export type Callback = z.infer<typeof Callback>

/** A callback of a provider that is switched on, with its statement. */
export type ReceivedCallback = {
  name: string
  provider: Pick<PaymentProvider, 'readsHeaders'>
  request: Pick<CallbackRequest, 'rawBody' | 'headers'>
}

/**
 * The callback that an event makes. Its id is derived from the event's: the same event, the same place. `isRead`: the
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
  const status = needsProcessing ? 'UNMATCHED' : event.fault ? 'FAILED' : 'IGNORED'
  return {
    id: callbackId(newId, [name, event.eventId]),
    provider: name,
    eventId: event.eventId,
    type: event.type,
    status,
    paymentId: null,
    detail: event.fault ?? null,
    references: event.references,
    waits: false,
    statement: event.statement,
    payout: event.payout ?? null,
    confirmed,
    resolution: null,
    meaning: meaningOf(event),
    rawBody: new Uint8Array(request.rawBody),
    rawBodySha256: createHash('sha256').update(request.rawBody).digest('hex'),
    isErased: false,
    headers: Object.fromEntries(
      provider.readsHeaders.flatMap((header) => {
        const value = request.headers[header]
        return value === undefined ? [] : [[header, value.slice(0, 1000)]]
      }),
    ),
    receivedAt: timestamp(receivedAt),
    processedAt,
    expiresAtSeconds: Math.floor(secondsAfter(receivedAt, KEPT_SECONDS).getTime() / 1000),
    // It belongs to no payment, so that nothing would find it once its payer, or the agent paid out, is erased.
    ...((status === 'IGNORED' || event.errors || event.payout) && withoutPayer({ statement: null })),
  }
}

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

/** The record of an event whose id was used before to say something else. It changes nothing. */
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
 * The part that does not depend on the time is a hash, and the key of the record: an event finds its record without an
 * index, and so does an id.
 */
const callbackId = (newId: NewId, identity: string[]): CallbackId =>
  derivedId('callback', newId('callback'), identity)

/** Type, payment, amount, currency and state; not the time or the wording, which a second sending may renew. */
export function meaningOf({ type, references, statement, payout }: ProviderEvent): string {
  const { at: _, ...said } = { at: null, ...statement }
  const meaning = [
    type,
    references,
    { ...said, code: undefined, message: undefined, reason: undefined },
    ...(payout ? [payout.state?.state] : []),
  ]
  return createHash('sha256').update(JSON.stringify(meaning)).digest('base64url')
}
