import * as z from 'zod'
import type { Account } from '#lib/accounts/account'
import type { AccountReader } from '#lib/accounts/account-store'
import { Timestamp } from '#lib/kernel/clock'
import { EnquiryId, UserId } from '#lib/kernel/id'
import type { Listing } from '#lib/listings/listing'
import type { ListingReader } from '#lib/listings/listing-store'
import { ListingAgent } from '#lib/listings/views/listing-view'
import { type Enquiry, EnquiryStatus, Message, type Side, unreadCount, Visit } from './enquiry.ts'
import { ListingSummary, type SummaryDeps, summaryOf } from './listing-summary.ts'

/** An enquiry as its two sides and administrators read it. */
export const EnquiryView = z
  .object({
    id: EnquiryId,
    listing: ListingSummary,
    customer: z
      .object({
        userId: UserId,
        name: z.string().nullable().meta({ example: 'Yao Brou' }),
        phone: z.string().nullable().meta({
          description: 'As given in the enquiry',
          example: '+2250500000000',
        }),
      })
      .nullable()
      .meta({ description: 'Null once the customer is banned or erased' }),
    agent: ListingAgent.extend({ phone: z.string().nullable().meta({ example: '+2250700000000' }) })
      .nullable()
      .meta({ description: 'Null once the agent is banned or erased' }),
    status: EnquiryStatus,
    visitAt: z.array(Timestamp).meta({ description: 'The times that the customer proposed' }),
    visit: Visit.nullable(),
    unreadCount: z.int().meta({ description: 'Messages that the caller has not read; 0 for administrators' }),
    lastMessageAt: Timestamp,
    createdAt: Timestamp,
  })
  .meta({ id: 'Enquiry' })
export type EnquiryView = z.infer<typeof EnquiryView>

/** A message as both sides read it. */
export const MessageView = Message.omit({ sent: true }).meta({ id: 'EnquiryMessage' })
export type MessageView = z.infer<typeof MessageView>

export type ViewDeps = SummaryDeps & {
  listings: ListingReader
  accounts: AccountReader
}

/** The accounts of the two sides of an enquiry; undefined for an erased account. */
type People = Record<Side, Account | undefined>

/** Whether a side can read its messages: its account is neither banned nor erased, and an agent is still an agent. */
export const isThere = (side: Side, account: Account | undefined): account is Account =>
  account?.status === 'ACTIVE' && (side === 'customer' || account.agent !== null)

/**
 * Returns at most 100 enquiries, in order, as a side sees them or, without a side, as administrators do. Reads all
 * listings, customers and agents at once.
 */
export async function viewEnquiries(
  deps: ViewDeps,
  enquiries: readonly Enquiry[],
  side?: Side,
): Promise<EnquiryView[]> {
  const [listings, customers, agents] = await Promise.all([
    deps.listings.getMany(enquiries.map(({ listingId }) => listingId)),
    deps.accounts.getMany(enquiries.map(({ customerId }) => customerId)),
    deps.accounts.getMany(enquiries.map(({ agentId }) => agentId)),
  ])
  const accountOf = byId([...customers, ...agents])
  const listingOf = byId(listings)
  return Promise.all(
    enquiries.map((enquiry) => {
      const { listingId, customerId, agentId } = enquiry
      const people = { customer: accountOf.get(customerId), agent: accountOf.get(agentId) }
      return viewEnquiry(deps, enquiry, listingOf.get(listingId), people, side)
    }),
  )
}

/** Returns one enquiry as a side or administrators see it, and the accounts of its two sides. */
export async function readView(
  deps: ViewDeps,
  enquiry: Enquiry,
  side?: Side,
): Promise<{ view: EnquiryView; people: People }> {
  const { listingId, customerId, agentId } = enquiry
  const [[listing], accounts] = await Promise.all([
    deps.listings.getMany([listingId]),
    deps.accounts.getMany([customerId, agentId]),
  ])
  const accountOf = byId(accounts)
  const people = { customer: accountOf.get(customerId), agent: accountOf.get(agentId) }
  return { view: await viewEnquiry(deps, enquiry, listing, people, side), people }
}

/** Returns the view of an enquiry whose listing and people were read already; without a side, the administrators' view. */
export async function viewEnquiry(
  deps: SummaryDeps,
  enquiry: Enquiry,
  listing: Listing | undefined,
  people: People,
  side?: Side,
): Promise<EnquiryView> {
  // The schema of the answer drops the other fields of the enquiry and of the agent's profile.
  return {
    ...enquiry,
    ...viewPeople(enquiry, people),
    listing: await summaryOf(deps, enquiry.listingId, listing, people.agent),
    unreadCount: side ? unreadCount(enquiry, side) : 0,
  }
}

function viewPeople(
  { phone }: Enquiry,
  { customer, agent }: People,
): Pick<EnquiryView, 'customer' | 'agent'> {
  return {
    customer: isThere('customer', customer) ? { userId: customer.id, name: customer.name, phone } : null,
    agent: isThere('agent', agent) && agent.agent ? { ...agent.agent, userId: agent.id } : null,
  }
}

/** Returns a message as its readers see it: without text once its author is erased. A banned author's text stays. */
export const viewMessage = ({ id, from, text, at }: Message, people: People): MessageView => ({
  id,
  from,
  text: people[from] ? text : null,
  at,
})

const byId = <Id, Item extends { id: Id }>(items: readonly Item[]): Map<Id, Item> =>
  new Map(items.map((item) => [item.id, item]))
