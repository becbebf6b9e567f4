import * as z from 'zod'
import type { AccountStore } from '#lib/accounts/account-store'
import { Timestamp } from '#lib/kernel/clock'
import type { Cursors } from '#lib/kernel/cursor'
import { answerPage, PageQuery, pageThatFits } from '#lib/kernel/page'
import type { MediaLinks } from '#lib/media/store/media-links'
import { ListingStatus } from './listing.ts'
import type { ListingStore } from './listing-store.ts'
import { ListingView, RevisionView } from './listing-view.ts'
import { listsOf, orderInQueue, waitingSince } from './queue-place.ts'
import { viewListing, viewRevision } from './view-listing.ts'

/** What administrators look through: what waits for review, unless they ask for another status. */
export const QueueQuery = PageQuery.extend({ status: ListingStatus.default('PENDING_REVIEW') })

/** A listing in the queue. What changed is in its `revision`. */
export const QueuedListing = ListingView.extend({
  waitingSince: Timestamp.nullable().meta({ description: 'Null for one that waits for nobody' }),
  reasons: z.array(z.string()),
  message: z.string().nullable(),
  note: z.string().nullable(),
  revision: RevisionView.nullable(),
}).meta({ id: 'QueuedListing' })

type Deps = {
  listings: Pick<ListingStore, 'queued'>
  accounts: Pick<AccountStore, 'getMany'>
  links: MediaLinks
  cursors: Cursors
}

/**
 * The moderation queue: what is in review, and live listings whose revision waits, longest waiting first. Another
 * status lists the listings that have it, those that wait by how long, the others by age.
 */
export async function listQueue(
  { listings, accounts, links, cursors }: Deps,
  { limit, cursor, status }: z.infer<typeof QueueQuery>,
) {
  const filters = { status }
  return answerPage(cursors, { list: 'moderation', filters, position: z.string() }, cursor, async (after) => {
    const { items, next } = await listings.queued(listsOf(status), { limit, after })
    const shown = items.filter((listing) => status === 'PENDING_REVIEW' || listing.status === status)
    const owners = await accounts.getMany(shown.map(({ agentId }) => agentId))
    const ownerById = new Map(owners.map((owner) => [owner.id, owner]))
    return pageThatFits({ items: shown, next }, orderInQueue, async (listing) => ({
      ...(await viewListing(listing, ownerById.get(listing.agentId), 'administrator', links)),
      waitingSince: waitingSince(listing),
      reasons: listing.reasons,
      message: listing.message,
      note: listing.note,
      revision: viewRevision(listing),
    }))
  })
}
