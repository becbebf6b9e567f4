import type * as z from 'zod'
import type { Account } from '#lib/accounts/account'
import type { AccountReader } from '#lib/accounts/account-store'
import { dependency } from '#lib/config/config'
import type { Clock } from '#lib/kernel/clock'
import { DomainError, type FieldError, invalidField, invalidFields } from '#lib/kernel/domain-error'
import type { ListingId, PaymentRequestId, UserId } from '#lib/kernel/id'
import { exponentOf, toDecimalText } from '#lib/kernel/money'
import type { Write } from '#lib/kernel/write'
import type { Listing } from '#lib/listings/listing'
import type { ListingReader } from '#lib/listings/listing-store'
import { isPublic } from '#lib/listings/read-listing'
import type { PaidListing, Payment, PaymentTerms } from '#lib/payments/state/payment'
import type { PaymentProvider } from '#lib/providers/provider'

export type CheckDeps = {
  listings: ListingReader
  accounts: AccountReader
  now: Clock
}

/** A listing that is paid for, and its agent. */
export type Paid = { listing: Listing; agent: Account | undefined }

/** A payment request that its customer may pay now, its listing, and the writes that accompany its payment. */
type Payable = Paid & {
  request: Pick<Payment, 'amount' | 'currency' | 'purpose' | 'listingId'> & { id: PaymentRequestId }
  writesWith: (payment: Payment) => Write[]
}

/** Finds the request that a customer is about to pay. The payment requests implement this port. */
export type FindPayable = (payer: UserId, id: string) => Promise<Payable>

/** Reads the listing that a payment names, if any. */
export async function paidListing(deps: CheckDeps, id: ListingId | null): Promise<Paid | undefined> {
  const listing = id === null ? undefined : await deps.listings.get(id)
  return listing && { listing, agent: await deps.accounts.get(listing.agentId) }
}

/** Returns a listing as it is kept with its payment. */
const listingAsPaid = ({ listing, agent }: Paid): z.infer<typeof PaidListing> => ({
  title: listing.title ?? '',
  agent: agent?.agent
    ? { userId: agent.id, displayName: agent.agent.displayName, agency: agent.agent.agency }
    : null,
})

/** Returns the terms of a payment: its order, with the listing as it is kept and the commission on it. */
export function termsOf(order: PaymentTerms, paid: Paid | undefined, rates: CommissionRates) {
  const listing = paid ? listingAsPaid(paid) : null
  const commissionBasisPoints = listing?.agent ? (rates[order.purpose] ?? 0) : 0
  return { ...order, listing, commissionBasisPoints }
}

/**
 * Refuses a payment that cannot be made: `validation_failed` naming each field, and `listing_not_available` for a listing
 * that customers cannot see now, `own_listing` for the payer's own.
 */
export function checkPayment(
  provider: PaymentProvider | undefined,
  terms: PaymentTerms,
  paid: Paid | undefined,
  { payerId, now }: { payerId: UserId; now: Clock },
): asserts provider is PaymentProvider {
  const errors = [
    ...(provider ? [...moneyFaults(provider, terms), ...phoneFaults(provider, terms)] : [UNKNOWN_PROVIDER]),
    ...listingFaults(terms, paid),
  ]
  if (errors.length > 0) throw invalidFields(errors)
  // A payment request checks its listing itself: it may be paid when the listing is no longer available.
  if (paid && !isRequested(terms) && !isPublic(paid.listing, paid.agent, now))
    throw new DomainError('listing_not_available')
  if (paid?.listing.agentId === payerId) throw new DomainError('own_listing')
}

const isRequested = ({ paymentRequestId }: PaymentTerms): boolean => (paymentRequestId ?? null) !== null

function listingFaults(terms: PaymentTerms, paid: Paid | undefined): FieldError[] {
  const { listingId, currency } = terms
  if (listingId === null) return []
  if (!paid?.listing.publishedAt)
    return [wrong('listingId', 'must be the id of a listing that is or was public')]
  const { price } = paid.listing
  // A payment request keeps the currency that its listing had, and its payer names none.
  if (isRequested(terms) || !price || price.currency === currency) return []
  return [wrong('currency', `must be the listing's: ${price.currency}`)]
}

function moneyFaults(provider: PaymentProvider, terms: PaymentTerms): FieldError[] {
  const { currencies, refuses, limits } = provider
  const { currency, amount } = terms
  if (currencies !== 'any' && !currencies.includes(currency)) {
    return [wrong('currency', `must be one that ${terms.provider} takes: ${currencies.join(', ')}`)]
  }
  const limit = limits?.[currency]
  if (limit && (amount < limit.min || amount > limit.max)) {
    const [from, to] = [limit.min, limit.max].map((bound) => toDecimalText(bound, exponentOf(currency)))
    return [wrong('amount', `must be from ${from} to ${to} ${currency} with ${terms.provider}`)]
  }
  const fault = refuses?.(terms)
  return fault === undefined ? [] : [wrong('amount', fault)]
}

const phoneFaults = ({ asksOnPhone }: PaymentProvider, { provider, phone }: PaymentTerms): FieldError[] =>
  asksOnPhone && phone === null
    ? [wrong('phone', `must be given, here or in the profile: ${provider} asks the payer on it`)]
    : []

const wrong = (path: string, message: string): FieldError => ({ path, code: 'invalid_value', message })

/** The fault of a payment whose provider is unknown or switched off. */
export const UNKNOWN_PROVIDER = wrong('provider', 'must be a provider that is switched on')

/** Returns the address that the provider's page returns to, with the payment's id; null where the payer named none. */
export function returnUrlOf({ id, returnUrl }: Payment): string | null {
  if (returnUrl === null) return null
  const url = new URL(returnUrl)
  url.searchParams.set('payment', id)
  return url.href
}

/** Whether a payer may return to an address. */
export type ReturnOrigins = (returnUrl: string) => boolean

const ANY_PORT = ':*'

/**
 * Allows the pages of the operator's own origins and apps, so that no link of ours leads to a stranger's page. Without
 * `RETURN_ORIGINS` those of `CORS_ORIGINS` are allowed. A list without a whole origin allows every `https` page. A host
 * that `CORS_ORIGINS` names with any port (`:*`) is always allowed.
 */
export function openReturnOrigins(
  returnOrigins: readonly string[],
  corsOrigins: readonly string[],
): ReturnOrigins {
  const named = returnOrigins.length > 0 ? returnOrigins : corsOrigins
  const whole = named.filter((origin) => origin !== '*' && !hasAnyPort(origin))
  const wholeOrigins = new Set(whole.map((origin) => originOf(new URL(origin))))
  const hostsOfAnyPort = corsOrigins.filter(hasAnyPort).map((origin) => origin.slice(0, -ANY_PORT.length))
  return (returnUrl) => {
    const url = new URL(returnUrl)
    if (hostsOfAnyPort.includes(`${url.protocol}//${url.hostname}`)) return true
    if (wholeOrigins.size === 0) return url.protocol === 'https:'
    return wholeOrigins.has(originOf(url))
  }
}

const hasAnyPort = (origin: string): boolean => origin.endsWith(ANY_PORT)

/** Returns the origin of a page, or the scheme of an app's address, which has no origin. */
const originOf = ({ origin, protocol }: URL): string => (origin === 'null' ? `${protocol}//` : origin)

/** Throws `validation_failed` for a return address whose origin is not allowed. */
export function refuseForeignReturn(allows: ReturnOrigins, returnUrl: string | null | undefined): void {
  if (returnUrl && !allows(returnUrl)) {
    throw invalidField('returnUrl', 'must be a page of an origin that the operator has named')
  }
}

/** The platform's part of payments by what they are for, in basis points. */
export type CommissionRates = Readonly<Partial<Record<Payment['purpose'], number>>>

/** The operator's rates; a purpose without a rate costs no commission. */
export const commissionRates = dependency(['COMMISSION'], ({ COMMISSION }): CommissionRates => COMMISSION)

/** The return origins, as a dependency of functions. */
export const returnOrigins = dependency(['RETURN_ORIGINS', 'CORS_ORIGINS'], (config) =>
  openReturnOrigins(config.RETURN_ORIGINS, config.CORS_ORIGINS),
)
