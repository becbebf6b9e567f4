import * as z from 'zod'
import { secondsAfter, Timestamp, timestamp } from '#lib/kernel/clock'
import { DomainError } from '#lib/kernel/domain-error'
import { ListingId, PaymentId, PaymentRequestId, type RefundId, UserId } from '#lib/kernel/id'
import { Amount, Currency } from '#lib/kernel/money'
import { plainText } from '#lib/kernel/text'
import { Attention, attentionOf } from './attention.ts'
import { Fact, isProviderId } from './fact.ts'
import { factsThatFit } from './fact-room.ts'
import { careOf, dueFor } from './payment-due.ts'
import { amountRefundedOf, PaymentStatus, statusOf } from './payment-status.ts'
import { Attempt } from './refunds/attempt.ts'

/** How long a payment waits for its money where the provider sets no time of its own. */
const CHECKOUT_LIFETIME_SECONDS = 24 * 60 * 60

/** What a payment is for. */
export const Purpose = z
  .enum(['deposit', 'rent', 'purchase', 'fee'])
  .meta({ id: 'PaymentPurpose', description: 'What the payment is for' })

/** The caller's own notes on a payment: at most 20 short texts, handed back as they came. */
export const Metadata = z
  .record(plainText({ min: 1, max: 40 }), plainText({ max: 500 }))
  .refine((metadata) => Object.keys(metadata).length <= 20, 'must have at most 20 keys')
  .meta({ example: { invoice: 'INV-0001' } })

/** Where the payer pays. `url` is null with providers that ask on the payer's phone. */
export const Checkout = z
  .object({ url: z.url().max(4096).nullable(), expiresAt: Timestamp })
  .meta({ id: 'Checkout' })

/** The listing that a payment is for, as it was when the payment was made. */
export const PaidListing = z
  .object({
    title: z.string(),
    agent: z.object({ userId: UserId, displayName: z.string(), agency: z.string().nullable() }).nullable(),
  })
  .meta({ id: 'PaidListing' })

/**
 * A payment as it is kept. `status`, `amountRefunded` and `attention` are what the facts came to when it was last
 * written; time alone may have moved the payment on since, see `statusOf`.
 */
export const Payment = z.object({
  id: PaymentId,
  userId: UserId,
  /** The provider account, by the name that customers choose. */
  provider: z.string(),
  amount: Amount,
  currency: Currency,
  purpose: Purpose,
  listingId: ListingId.nullable(),
  listing: PaidListing.nullable().default(null),
  paymentRequestId: PaymentRequestId.nullable().default(null),
  phone: z.string().nullable(),
  returnUrl: z.string().nullable(),
  metadata: Metadata.nullable(),
  /** Whether the payer's account has ended: what providers write of the payer is then not kept. */
  isPayerErased: z.boolean().default(false),
  /** The provider's ids that name this payment, in the order learnt: what it answered at the start is first. */
  references: z.array(z.string()),
  /** Null until the provider was asked to start. */
  checkout: Checkout.nullable(),
  expiresAt: Timestamp,
  /** When the provider's page closes by itself; null where the provider does not say. */
  pageEndsAt: Timestamp.nullable().default(null),
  /** Whether the provider has closed the page of a payment that ended without success. */
  isPageClosed: z.boolean().default(false),
  facts: z.array(Fact),
  /** The latest attempt at each refund of ours, by the refund's id. */
  attempts: z.record(z.string(), Attempt).default({}),
  status: PaymentStatus,
  amountRefunded: z.int().min(0),
  /** Whether its payer's open payments were counted with it; those of the first edition were not. */
  isCounted: z.boolean().default(false),
  /** How often it was looked at for the reason for which it is looked at now. */
  asks: z.int().min(0).default(0),
  /** When the payment is due next; null once the payment needs no further look. */
  dueAt: Timestamp.nullable().default(null),
  /** How many readings in a row failed. */
  faults: z.int().min(0).default(0),
  wrongSums: z.array(z.string()).default([]),
  raised: z.array(Attention).default([]),
  attention: z.array(Attention).default([]),
  /** Counts the writes; every write is conditional on the one before it. */
  version: z.int().min(1),
  createdAt: Timestamp,
  updatedAt: Timestamp,
})
export type Payment = z.infer<typeof Payment>

/** What a payer asks for, once it has been checked. */
export type PaymentRequest = Pick<
  Payment,
  'provider' | 'amount' | 'currency' | 'purpose' | 'listingId' | 'phone' | 'returnUrl' | 'metadata'
> &
  Partial<Pick<Payment, 'listing' | 'paymentRequestId'>>

/** A payment nobody has paid yet and no provider knows of. */
export function openPayment(id: PaymentId, userId: UserId, request: PaymentRequest, now: Date): Payment {
  const expiresAt = timestamp(secondsAfter(now, CHECKOUT_LIFETIME_SECONDS))
  const payment = Payment.parse({
    id,
    userId,
    ...request,
    references: [],
    checkout: null,
    expiresAt,
    facts: [],
    status: 'PENDING',
    amountRefunded: 0,
    isCounted: true,
    version: 1,
    createdAt: timestamp(now),
    updatedAt: timestamp(now),
  })
  return { ...payment, dueAt: dueFor('open', payment, now) }
}

/** The payment with what its provider opened for it. Throws `provider_unavailable` for an address that nobody can open. */
export function withCheckout(
  payment: Payment,
  started: { url: string | null; expiresAt: Timestamp | null; references: string[] },
): Payment {
  const expiresAt = started.expiresAt ?? payment.expiresAt
  const checkout = Checkout.safeParse({ url: started.url, expiresAt })
  if (!checkout.success) throw new DomainError('provider_unavailable', { cause: checkout.error })
  const named = withFacts(payment, [], started.references.filter(isProviderId))
  return { ...named, checkout: checkout.data, expiresAt, pageEndsAt: started.expiresAt }
}

/** A payment has a session, an intent, a charge and the like; this only bounds what a provider may make us keep. */
const REFERENCE_LIMIT = 50

/** The payment with more facts and names. A fact that it has already, or has no room for, changes nothing. */
export function withFacts(
  payment: Payment,
  facts: readonly Fact[],
  references: readonly string[] = [],
): Payment {
  const known = new Set(payment.facts.map(({ id }) => id))
  const added = facts.filter(
    ({ id }, place) => !known.has(id) && facts.findIndex((fact) => fact.id === id) === place,
  )
  const names = [...payment.references, ...references.filter((name) => name !== payment.id)]
  return {
    ...payment,
    facts: [...payment.facts, ...factsThatFit(payment.facts, added)],
    references: [...new Set(names)].slice(0, REFERENCE_LIMIT),
  }
}

/** The payment with the state of an attempt at a refund of ours. */
export const withAttempt = (payment: Payment, refundId: RefundId | string, attempt: Attempt): Payment => ({
  ...payment,
  attempts: { ...payment.attempts, [refundId]: attempt },
})

/** The payment's next version: its state made anew, and when to look at it, if that has changed. */
export function revised(before: Payment, edited: Payment, now: Date): Payment {
  const folded: Payment = {
    ...edited,
    status: statusOf(edited, now),
    amountRefunded: amountRefundedOf(edited),
    attention: attentionOf(edited, before.attention, now),
    version: before.version + 1,
    updatedAt: timestamp(now),
  }
  const care = careOf({ ...folded, asks: 0 }, now)
  if (care !== careOf({ ...before, asks: 0 }, now)) {
    const anew = { ...folded, asks: 0 }
    return { ...anew, dueAt: dueFor(care, anew, now) }
  }
  return care === null ? { ...folded, dueAt: null } : folded
}

/** The payment's next version once it was looked at: when to look again, if at all. */
export function lookedAt(before: Payment, edited: Payment, now: Date): Payment {
  const next = revised(before, { ...edited, asks: before.asks + 1 }, now)
  return next.asks === 0 ? next : { ...next, dueAt: dueFor(careOf(next, now), next, now) }
}

/** The payment due now, for a word of its provider's that could not be read; undefined where it is due already. */
export const lookNow = (payment: Payment, now: Date): Payment | undefined =>
  payment.dueAt !== null && payment.dueAt <= timestamp(now) ? undefined : dueAgainAt(payment, timestamp(now))

/** The payment's next version, due at another time and otherwise as it was. */
export const dueAgainAt = (payment: Payment, dueAt: Timestamp): Payment => ({
  ...payment,
  dueAt,
  version: payment.version + 1,
})
