import * as z from 'zod'
import { DAY_SECONDS, secondsAfter, Timestamp, timestamp } from '#lib/kernel/clock'
import { DomainError } from '#lib/kernel/domain-error'
import { ListingId, PaymentId, PaymentRequestId, UserId } from '#lib/kernel/id'
import { Amount, Currency } from '#lib/kernel/money'
import { plainText } from '#lib/kernel/text'
import { Attempt } from './attempt.ts'
import { Fact, factsThatFit, isProviderId } from './fact.ts'
import { foldOf } from './fold.ts'
import { Attention, attentionOf, PaymentStatus, statusOf } from './payment-status.ts'
import { dueReasonOf, nextDueAt } from './schedule.ts'

/** The lifetime of a payment whose provider sets none. */
const CHECKOUT_LIFETIME_SECONDS = DAY_SECONDS

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
  .object({
    url: z.url().max(4096).nullable().meta({ example: 'https://checkout.example.com/c/9xQ2' }),
    expiresAt: Timestamp,
  })
  .meta({ id: 'Checkout' })

/** The listing that a payment is for, as it was when the payment was made. */
export const PaidListing = z
  .object({
    title: z.string().meta({ example: 'Three-bedroom apartment in Cocody' }),
    agent: z
      .object({
        userId: UserId,
        displayName: z.string().meta({ example: 'Awa Koné' }),
        agency: z.string().nullable().meta({ example: 'Lagune Immobilier' }),
      })
      .nullable(),
  })
  .meta({ id: 'PaidListing' })

/**
 * A payment as it is kept. `status`, `amountRefunded` and `attention` are those of the last write; the time may have
 * moved the payment on, see `statusOf`.
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
  listing: PaidListing.nullable(),
  paymentRequestId: PaymentRequestId.nullable(),
  phone: z.string().nullable().meta({ example: '+2250700000000' }),
  returnUrl: z.string().nullable().meta({ example: 'https://www.example.com/payments/return' }),
  metadata: Metadata.nullable(),
  /** Whether the payer's account has ended: what providers write of the payer is then not kept. */
  isPayerErased: z.boolean(),
  /** The provider's ids of this payment in the order of arrival: the id from the start is first. */
  references: z.array(z.string()),
  /** Null until the provider was asked to start. */
  checkout: Checkout.nullable(),
  expiresAt: Timestamp,
  /** The time when the provider's page closes; null where the provider does not say. */
  pageEndsAt: Timestamp.nullable(),
  /** Whether the provider has closed the page of a payment that ended without success. */
  isPageClosed: z.boolean(),
  facts: z.array(Fact),
  /** The latest attempt at each refund of ours, by the refund's id. */
  attempts: z.record(z.string(), Attempt),
  status: PaymentStatus,
  amountRefunded: z.int().min(0),
  /** The platform's part of what the agent is owed, as it was when the payment was made. */
  commissionBasisPoints: z.int().min(0),
  /** When a success was first recorded; null until then. */
  paidAt: Timestamp.nullable(),
  /** The number of readings for the reason for which the payment is due now, see `dueReasonOf`. */
  asks: z.int().min(0),
  /** When its provider is read next; null for never. */
  dueAt: Timestamp.nullable(),
  /** The number of consecutive failed readings. */
  faults: z.int().min(0),
  /** The part of `attention` that comes from the payment's request and its listing's hold, not from the payment itself. */
  raised: z.array(Attention),
  /** Why the payment needs an administrator, and since when. */
  attention: z.array(Attention),
  /** Counts the writes; every write is conditional on the one before it. */
  version: z.int().min(1),
  createdAt: Timestamp,
  updatedAt: Timestamp,
})
export type Payment = z.infer<typeof Payment>

/** The payment that a payer wants, once it has been checked. */
export type PaymentTerms = Pick<
  Payment,
  'provider' | 'amount' | 'currency' | 'purpose' | 'listingId' | 'phone' | 'returnUrl' | 'metadata'
> &
  Partial<Pick<Payment, 'listing' | 'paymentRequestId' | 'commissionBasisPoints'>>

/** Returns a payment that is not paid, and that its provider does not know. */
export function openPayment(id: PaymentId, userId: UserId, terms: PaymentTerms, now: Date): Payment {
  const expiresAt = timestamp(secondsAfter(now, CHECKOUT_LIFETIME_SECONDS))
  const payment: Payment = {
    id,
    userId,
    listing: null,
    paymentRequestId: null,
    commissionBasisPoints: 0,
    ...terms,
    isPayerErased: false,
    references: [],
    checkout: null,
    expiresAt,
    pageEndsAt: null,
    isPageClosed: false,
    facts: [],
    attempts: {},
    status: 'PENDING',
    amountRefunded: 0,
    paidAt: null,
    asks: 0,
    dueAt: null,
    faults: 0,
    raised: [],
    attention: [],
    version: 1,
    createdAt: timestamp(now),
    updatedAt: timestamp(now),
  }
  return { ...payment, dueAt: nextDueAt('open', payment, now) }
}

/** Adds to a payment the checkout that its provider opened. Throws `provider_unavailable` for an address that is no URL. */
export function withCheckout(
  payment: Payment,
  started: { url: string | null; expiresAt: Timestamp | null; references: string[] },
): Payment {
  const expiresAt = started.expiresAt ?? payment.expiresAt
  const checkout = Checkout.safeParse({ url: started.url, expiresAt })
  if (!checkout.success) throw new DomainError('provider_unavailable', { cause: checkout.error })
  const named = withFacts(payment, [], started.references.filter(isProviderId))
  const next = { ...named, checkout: checkout.data, expiresAt, pageEndsAt: started.expiresAt }
  // A payer who is asked on the phone answers soon: the first reading comes earlier than for a page.
  const asksOnPhone = started.url === null
  return asksOnPhone ? { ...next, dueAt: nextDueAt('open', next, new Date(payment.createdAt)) } : next
}

/** A payment has a session, an intent, a charge and the like; this only bounds what a provider may make us keep. */
const REFERENCE_LIMIT = 50

/** Adds facts and references to a payment. A fact that it has already, or has no room for, changes nothing. */
export function withFacts(
  payment: Payment,
  facts: readonly Fact[],
  references: readonly string[] = [],
  { areOurs = false }: { areOurs?: boolean } = {},
): Payment {
  const known = new Set(payment.facts.map(({ id }) => id))
  const added = facts.filter(
    ({ id }, index) => !known.has(id) && facts.findIndex((fact) => fact.id === id) === index,
  )
  const names = [...payment.references, ...references.filter((name) => name !== payment.id)]
  return {
    ...payment,
    facts:
      added.length > 0
        ? [...payment.facts, ...factsThatFit(payment.facts, added, { areOurs })]
        : payment.facts,
    references: [...new Set(names)].slice(0, REFERENCE_LIMIT),
  }
}

/** Adds a fact of our own, for which a payment has room however much its provider says of it. */
export const withOwnFact = (payment: Payment, fact: Fact): Payment =>
  withFacts(payment, [fact], [], { areOurs: true })

/** Sets the latest attempt at a refund of ours. */
export const withAttempt = (payment: Payment, refundId: string, attempt: Attempt): Payment => ({
  ...payment,
  attempts: { ...payment.attempts, [refundId]: attempt },
})

/** Returns the payment's next version: what follows from its facts, and a new due time if it is due for another reason. */
export function revised(before: Payment, edited: Payment, now: Date): Payment {
  const folded: Payment = {
    ...edited,
    status: statusOf(edited, now),
    amountRefunded: foldOf(edited).amountRefunded,
    paidAt: edited.paidAt ?? (foldOf(edited).countingCharge ? timestamp(now) : null),
    attention: attentionOf(edited, before.attention, now),
    version: before.version + 1,
    updatedAt: timestamp(now),
  }
  const reason = dueReasonOf(folded, now)
  if (reason !== dueReasonOf(before, now)) {
    const first = { ...folded, asks: 0 }
    return { ...first, dueAt: nextDueAt(reason, first, now) }
  }
  // An unchanged reason keeps the due time. Where there is no reason, that is null or the retry of a failed reading.
  return folded
}

/** Counts a reading of a payment: returns its next version, due when its provider is to be read again, if at all. */
export function withNextReading(before: Payment, edited: Payment, now: Date): Payment {
  const next = revised(before, { ...edited, asks: before.asks + 1 }, now)
  // `asks` is 0 where the reason has changed: `revised` has set the due time.
  return next.asks === 0 ? next : { ...next, dueAt: nextDueAt(dueReasonOf(next, now), next, now) }
}

/** Makes the payment due at once, because a callback could not be confirmed; undefined where it is due already. */
export const markDue = (payment: Payment, now: Date): Payment | undefined =>
  payment.dueAt !== null && payment.dueAt <= timestamp(now) ? undefined : withDueAt(payment, timestamp(now))

/** Returns the payment's next version, due at another time and otherwise as it was. */
export const withDueAt = (payment: Payment, dueAt: Timestamp): Payment => ({
  ...payment,
  dueAt,
  version: payment.version + 1,
})
