import { type Timestamp, timestamp } from '#lib/kernel/clock'
import { DomainError } from '#lib/kernel/domain-error'
import { PaymentId, RefundId } from '#lib/kernel/id'
import type { Money } from '#lib/kernel/money'
import type { StatementOf } from '#lib/payments/state/fact'
import type { PaymentReading } from '#lib/payments/state/reading'
import type { StartedRefund } from '#lib/providers/provider'
import { checkStatement, clip, type Moment, namedMoment, referencesOf, type Text } from './events.ts'

export const processingOf = (at: Timestamp, tryId: string): StatementOf<'processing'> => ({
  kind: 'processing',
  at,
  tryId,
})

type Failure = { final?: boolean; code?: Text; message?: Text; tryId?: string }

/** States that a payment failed; with `final: false`, that one try to pay it failed. */
export const failureOf = (
  at: Timestamp,
  { final = true, code, message, tryId }: Failure = {},
): StatementOf<'failed'> => ({
  kind: 'failed',
  at,
  final,
  code: clip(code, 'payment_failed'),
  message: clip(message, 'The payment failed.'),
  ...(tryId !== undefined && { tryId }),
})

type ChargeFields = {
  id: Text
  money: Money | null
  /** The provider's id of the capture that brought the money, from providers that tell captures apart. */
  captureId?: string
}

export const chargeOf = (
  at: Timestamp,
  { id, money, captureId }: ChargeFields,
): StatementOf<'succeeded'> => ({
  kind: 'succeeded',
  at,
  money,
  chargeId: id || null,
  ...(captureId !== undefined && { captureId }),
})

/** The longest reason of an administrator, which providers repeat: 1000 characters of at most two UTF-16 code units. */
const REFUND_REASON_MAX = 2000

type RefundFields = {
  /** The provider's id of the refund; null where it has none. */
  id: Text
  money: Money | null
  state: StartedRefund['state']
  /** The provider's id of the charge that it gives back. */
  chargeId?: Text
  reason?: Text
  /** The provider's copy of our own id, such as a note or a key, which begins with our id. */
  ours?: Text
}

export const refundOf = (
  at: Timestamp,
  { id, money, state, chargeId, reason, ours }: RefundFields,
): StatementOf<'refund'> => ({
  kind: 'refund',
  at,
  money,
  state,
  providerRefundId: id || null,
  refundId: ownRefundId(ours),
  chargeId: chargeId || null,
  reason: reason ? clip(reason, '', REFUND_REASON_MAX) : null,
})

const OWN_REFUND_ID_LENGTH = 'rfd_'.length + 26

/** Returns our id of a refund at the beginning of a text that a provider repeats; null when there is none. */
export const ownRefundId = (text: Text): RefundId | null =>
  RefundId.safeParse(text?.slice(0, OWN_REFUND_ID_LENGTH)).data ?? null

/** Returns a fee as of now, so that a changed sum corrects an earlier one; none without a sum. */
export const feesOf = (now: Date, id: string, money: Money | null): StatementOf<'fee'>[] =>
  money === null ? [] : [{ kind: 'fee', at: timestamp(now), feeId: id, money }]

type DisputeFields = {
  id: string
  state: StatementOf<'dispute'>['state']
  /** The disputed sum; null for the whole charge, if the provider names no sum. */
  money?: Money | null
  chargeId?: Text
  reason?: Text
  /** Until when we may answer, as the provider names the moment. */
  respondBy?: Moment
}

/** States a dispute. `at` is the provider's time of the statement: the latest one counts. */
export const disputeOf = (
  at: Timestamp,
  { id, state, money = null, chargeId, reason, respondBy }: DisputeFields,
): StatementOf<'dispute'> => ({
  kind: 'dispute',
  at,
  disputeId: id,
  state,
  money,
  chargeId: chargeId || null,
  reason: reason ? clip(reason, '') : null,
  respondBy: namedMoment(respondBy),
})

type Reading = Omit<Partial<PaymentReading>, 'references'> & {
  /** Ours and the provider's; empty and over-long ones are left out. */
  references: readonly unknown[]
}

/** Puts a reading together. Throws `provider_unavailable` for a statement that cannot be stored. */
export function readingOf({
  references,
  charges = [],
  refunds = [],
  disputes = [],
  ...more
}: Reading): PaymentReading {
  for (const statement of [...charges, ...refunds, ...disputes, ...(more.fees ?? [])]) {
    const read = checkStatement(statement)
    if ('fault' in read) throw new DomainError('provider_unavailable', { cause: new Error(read.fault) })
  }
  return { references: referencesOf(references), charges, refunds, disputes, ...more }
}

/**
 * Returns a reference that is our id of a payment; null for any other. A person may have written another one at the
 * provider, the same for many payments.
 */
export const ownPaymentId = (reference: Text): PaymentId | null => PaymentId.safeParse(reference).data ?? null

/** Returns a reference; null for our own id of a refund, which names no payment. */
export const exceptOwnRefund = (reference: string | null | undefined): string | null | undefined =>
  RefundId.safeParse(reference).success ? null : reference
