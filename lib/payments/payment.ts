import * as z from 'zod'
import { secondsAfter, Timestamp, timestamp } from '#lib/kernel/clock'
import { DomainError } from '#lib/kernel/domain-error'
import { ListingId, PaymentId, type RefundId, UserId } from '#lib/kernel/id'
import { Amount, Currency } from '#lib/kernel/money'
import { plainText } from '#lib/kernel/text'
import { dueAfter, needsCare } from '#lib/payments/upkeep/payment-due'
import { Fact, isProviderId } from './fact.ts'
import { amountRefundedOf, PaymentStatus, statusOf } from './payment-status.ts'

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

/**
 * A payment as it is kept. `status` and `amountRefunded` are what the facts came to when it was last written;
 * time alone may have moved it on since, see `statusOf`.
 */
export const Payment = z.object({
  id: PaymentId,
  userId: UserId,
  provider: z.string(),
  amount: Amount,
  currency: Currency,
  purpose: Purpose,
  listingId: ListingId.nullable(),
  phone: z.string().nullable(),
  returnUrl: z.string().nullable(),
  metadata: Metadata.nullable(),
  /** The provider's ids that name this payment, in the order learnt: what it answered at the start is first. */
  references: z.array(z.string()),
  /** Null until the provider was asked to start. */
  checkout: Checkout.nullable(),
  expiresAt: Timestamp,
  facts: z.array(Fact),
  status: PaymentStatus,
  amountRefunded: z.int().min(0),
  /** How often its provider was asked about it of our own accord since it last began to need that. */
  asks: z.int().min(0).default(0),
  /** When it is to be asked about next; null once nobody need ask any more. */
  dueAt: Timestamp.nullable().default(null),
  /** Until when somebody is asking its provider for each refund of ours, by its id: nobody else does meanwhile. */
  refundsAskedUntil: z.record(z.string(), Timestamp).default({}),
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
>

/** A payment nobody has paid yet and no provider knows of. */
export function openPayment(id: PaymentId, userId: UserId, request: PaymentRequest, now: Date): Payment {
  const payment: Payment = {
    id,
    userId,
    ...request,
    references: [],
    checkout: null,
    expiresAt: timestamp(secondsAfter(now, CHECKOUT_LIFETIME_SECONDS)),
    facts: [],
    status: 'PENDING',
    amountRefunded: 0,
    asks: 0,
    dueAt: null,
    refundsAskedUntil: {},
    version: 1,
    createdAt: timestamp(now),
    updatedAt: timestamp(now),
  }
  return { ...payment, dueAt: dueAfter(0, payment, now) }
}

/** The payment with what its provider opened for it. Throws `provider_unavailable` for an address that nobody can open. */
export const withCheckout = (
  payment: Payment,
  started: { url: string | null; expiresAt: Timestamp | null; references: string[] },
  now: Date,
): Payment => {
  const expiresAt = started.expiresAt ?? payment.expiresAt
  const checkout = Checkout.safeParse({ url: started.url, expiresAt })
  if (!checkout.success) throw new DomainError('provider_unavailable', { cause: checkout.error })
  const named = withReferences(payment, started.references.filter(isProviderId))
  return refolded({ ...named, checkout: checkout.data, expiresAt }, now)
}

/** The payment with more facts, its state made anew. A fact that it has already changes nothing. */
export const withFacts = (
  payment: Payment,
  facts: readonly Fact[],
  references: readonly string[],
  now: Date,
): Payment => {
  const known = new Set(payment.facts.map(({ id }) => id))
  const added = facts.filter(
    ({ id }, place) => !known.has(id) && facts.findIndex((fact) => fact.id === id) === place,
  )
  return refolded({ ...withReferences(payment, references), facts: [...payment.facts, ...added] }, now)
}

/** The payment once its provider was asked about it: when to ask again, if at all. */
export const asked = (payment: Payment, now: Date): Payment => {
  if (!needsCare(payment, now)) return { ...payment, asks: 0, dueAt: null }
  const asks = payment.asks + 1
  return { ...payment, asks, dueAt: dueAfter(asks, payment, now) }
}

/** The payment with a refund set aside for whoever asks for it, or for anyone again where `until` is null. */
export const withAsking = (payment: Payment, refundId: RefundId, until: Timestamp | null): Payment => {
  const { [refundId]: _, ...others } = payment.refundsAskedUntil
  return { ...payment, refundsAskedUntil: { ...others, ...(until && { [refundId]: until }) } }
}

const withReferences = (payment: Payment, references: readonly string[]): Payment => ({
  ...payment,
  references: [...new Set([...payment.references, ...references])].slice(0, REFERENCE_LIMIT),
})

/** A payment has a session, an intent, a charge and the like; this only bounds what a provider may make us keep. */
const REFERENCE_LIMIT = 50

function refolded(payment: Payment, now: Date): Payment {
  const next: Payment = {
    ...payment,
    status: statusOf(payment, now),
    amountRefunded: amountRefundedOf(payment),
    version: payment.version + 1,
    updatedAt: timestamp(now),
  }
  if (!needsCare(next, now)) return { ...next, asks: 0, dueAt: null }
  return { ...next, dueAt: payment.dueAt ?? dueAfter(0, next, now) }
}
