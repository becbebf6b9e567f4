import * as z from 'zod'
import { Phone } from '#lib/accounts/account'
import { ListingId, type PaymentRequestId } from '#lib/kernel/id'
import { Amount, Currency } from '#lib/kernel/money'
import { webAddress } from '#lib/kernel/web-address'
import { Metadata, type PaymentTerms, Purpose } from '#lib/payments/state/payment'

/** The problems that starting a payment has in addition to those of every request. */
export const PAYMENT_REFUSALS = [
  'not_found',
  'email_not_verified',
  'listing_not_available',
  'own_listing',
  'listing_reserved',
  'payment_request_in_progress',
  'payment_request_not_open',
  'open_payment_limit_reached',
  'payment_limit_reached',
  'payment_refused',
  'too_many_requests',
  'provider_unavailable',
] as const

const ANY_SCHEME = /^[a-z][a-z0-9+.-]*$/

/** A payer's request to pay: a sum of their own, or a payment request. */
export const PaymentDraft = z
  .object({
    provider: z.string().min(1).max(40).meta({ example: 'stripe' }),
    amount: Amount.nullish(),
    currency: Currency.nullish(),
    purpose: Purpose.nullish(),
    listingId: ListingId.nullish(),
    paymentRequestId: z
      .string()
      .max(100)
      .nullish()
      .meta({ description: 'Instead of `amount`, `currency`, `purpose` and `listingId`' }),
    phone: Phone.nullish(),
    returnUrl: webAddress({ max: 2000, scheme: ANY_SCHEME }).nullish().meta({
      description:
        "Where the provider's page returns to, with `payment=<id>` added: a page of the operator's, or an app's address",
    }),
    metadata: Metadata.nullish(),
  })
  .superRefine((draft, context) => {
    const isRequested = isGiven(draft.paymentRequestId)
    const required = isRequested ? [] : (['amount', 'currency', 'purpose'] as const)
    const excluded = isRequested ? (['amount', 'currency', 'purpose', 'listingId'] as const) : []
    for (const name of required.filter((each) => !isGiven(draft[each]))) {
      // The issue that Zod itself reports for a missing field.
      context.addIssue({ code: 'invalid_type', expected: 'nonoptional', path: [name], input: undefined })
    }
    for (const name of excluded.filter((each) => isGiven(draft[each]))) {
      context.addIssue({
        code: 'custom',
        path: [name],
        message: 'must not stand beside paymentRequestId',
        input: draft[name],
      })
    }
  })
  .meta({
    id: 'PaymentDraft',
    example: { amount: 150_000, currency: 'XOF', purpose: 'deposit' },
    description: 'Either `amount`, `currency` and `purpose`, or `paymentRequestId`',
  })
export type PaymentDraft = z.infer<typeof PaymentDraft>

const isGiven = (value: unknown): boolean => value !== undefined && value !== null

/** Returns what is to be paid: sum, purpose and listing are the payment request's, or the payer's own without one. */
export function orderOf(draft: PaymentDraft, request: { id: PaymentRequestId } | undefined): PaymentTerms {
  const { provider, phone = null, returnUrl = null, metadata = null } = draft
  const shared = SharedTerms.parse(request ?? draft)
  return { ...shared, provider, phone, returnUrl, metadata, paymentRequestId: request?.id ?? null }
}

/** The terms that a draft and a payment request have in common. A checked draft holds all of them, or names a request. */
const SharedTerms = z.object({
  amount: Amount,
  currency: Currency,
  purpose: Purpose,
  listingId: ListingId.nullish().transform((id) => id ?? null),
})
