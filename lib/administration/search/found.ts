import * as z from 'zod'
import type { Account } from '#lib/accounts/account'
import type { Enquiry } from '#lib/enquiries/enquiry'
import type { DomainEvent } from '#lib/events/event'
import { amountIn } from '#lib/kernel/localized'
import type { Listing } from '#lib/listings/listing'
import type { Notification } from '#lib/payments/callbacks/notification'
import type { Payment } from '#lib/payments/payment'

/** One thing that a search found. */
export const Found = z
  .object({
    type: z.enum(['user', 'listing', 'payment', 'enquiry', 'notification', 'event']),
    id: z.string(),
    title: z.string().meta({
      description:
        'A user’s names, a listing’s title, also for an enquiry; a payment’s sum, purpose and status; what a ' +
        'notification or an event is',
    }),
  })
  .meta({ id: 'Found' })
export type Found = z.infer<typeof Found>

/** A user by both names; by the e-mail where there is none. */
export function foundUser({ id, name, agent, email }: Account): Found {
  const names = new Set([name, agent?.displayName].filter((each) => typeof each === 'string'))
  return { type: 'user', id, title: [...names].join(', ') || email }
}

/** A listing by its title; by its id where it has none yet. */
export const foundListing = ({ id, title }: Listing): Found => ({ type: 'listing', id, title: title ?? id })

/** An enquiry by the title of its listing. */
export const foundEnquiry = ({ id, listingId }: Enquiry, listing: Listing | undefined): Found => ({
  type: 'enquiry',
  id,
  title: listing?.title ?? listingId,
})

/** A payment by its sum, purpose and status. */
export const foundPayment = ({ id, purpose, status, ...money }: Payment): Found => ({
  type: 'payment',
  id,
  title: `${amountIn('en', money)}, ${purpose}, ${status}`,
})

/** A notification by its provider, its type and its status. */
export const foundNotification = ({ id, provider, type, status }: Notification): Found => ({
  type: 'notification',
  id,
  title: `${provider}, ${type}, ${status}`,
})

/** An event by its type and its subject. */
export const foundEvent = ({ id, type, subject }: DomainEvent): Found => ({
  type: 'event',
  id,
  title: `${type}, ${subject}`,
})
