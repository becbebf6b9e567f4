import * as z from 'zod'
import type { Account } from '#lib/accounts/account'
import type { Enquiry } from '#lib/enquiries/enquiry'
import type { DomainEvent } from '#lib/events/event'
import { amountIn } from '#lib/kernel/localized'
import type { Listing } from '#lib/listings/listing'
import type { Callback } from '#lib/payments/callbacks/callback'
import type { Payment } from '#lib/payments/state/payment'
import type { Payout } from '#lib/payouts/payout'

/** One thing that a search found. */
export const SearchHit = z
  .object({
    type: z
      .enum(['user', 'listing', 'payment', 'enquiry', 'callback', 'payout', 'event'])
      .meta({ example: 'listing' }),
    id: z.string().meta({ example: 'lst_01KAH3M6XQ8ZJ4T2V7W9C5RBND' }),
    title: z.string().meta({
      example: 'Three-bedroom apartment in Cocody',
      description:
        'A user’s names, a listing’s title, also for an enquiry; a payment’s sum, purpose and status, a payout’s sum ' +
        'and status; what a callback or an event is',
    }),
  })
  .meta({ id: 'Found' })
export type SearchHit = z.infer<typeof SearchHit>

/** Shows a user by the names of the account and of the agent profile, or by the e-mail where both are missing. */
export function foundUser({ id, name, agent, email }: Account): SearchHit {
  const names = new Set([name, agent?.displayName].filter((each) => typeof each === 'string'))
  return { type: 'user', id, title: [...names].join(', ') || email }
}

/** Shows a listing by its title, or by its id without one. */
export const foundListing = ({ id, title }: Listing): SearchHit => ({
  type: 'listing',
  id,
  title: title ?? id,
})

/** Shows an enquiry by the title of its listing. */
export const foundEnquiry = ({ id, listingId }: Enquiry, listing: Listing | undefined): SearchHit => ({
  type: 'enquiry',
  id,
  title: listing?.title ?? listingId,
})

/** Shows a payment by its sum, purpose and status. */
export const foundPayment = ({ id, purpose, status, amount, currency }: Payment): SearchHit => ({
  type: 'payment',
  id,
  title: `${amountIn('en', { amount, currency })}, ${purpose}, ${status}`,
})

/** Shows a callback by its provider, its type and its status. */
export const foundCallback = ({ id, provider, type, status }: Callback): SearchHit => ({
  type: 'callback',
  id,
  title: `${provider}, ${type}, ${status}`,
})

/** Shows a payout by its sum and status. */
export const foundPayout = ({ id, status, amount, currency }: Payout): SearchHit => ({
  type: 'payout',
  id,
  title: `${amountIn('en', { amount, currency })}, ${status}`,
})

/** Shows an event by its type and its subject. */
export const foundEvent = ({ id, type, subject }: DomainEvent): SearchHit => ({
  type: 'event',
  id,
  title: `${type}, ${subject}`,
})
