import { spec as followListings } from '#functions/jobs/follow-listings'
import { spec as moderateListing } from '#functions/listings/moderate-listing'
import { spec as searchListings } from '#functions/listings/search-listings'
import type { ListingId } from '#lib/kernel/id'
import type { Listing } from '#lib/listings/listing'
import { call } from './call.ts'
import { consoleToken } from './given.ts'
import { aListing, aMedia, COMPLETE, listingOf } from './listings.ts'
import { changeOf, deliveredTo } from './stream.ts'

/** A listing that a moderator has just published. */
export async function aPublishedListing(agentId: string, more: Partial<Listing> = {}): Promise<ListingId> {
  const id = await aListing(agentId, {
    ...COMPLETE,
    media: [aMedia()],
    status: 'PENDING_REVIEW',
    publishedAt: null,
    ...more,
  })
  await moderated(id, { status: 'PUBLISHED' })
  return id
}

/** Has a moderator decide. */
export async function moderated(id: string, body: object): Promise<void> {
  const { status, text } = await call(moderateListing, { params: { id }, token: await consoleToken(), body })
  if (status !== 200) throw new Error(text)
}

/** The ids that a search answers, followed to the last cursor. */
export async function found(
  query: Record<string, string> = {},
  meanwhile = async () => {},
): Promise<string[]> {
  const ids: string[] = []
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const { status, body, text } = await call(searchListings, {
      query: { ...query, ...(cursor && { cursor }) },
    })
    if (status !== 200) throw new Error(text)
    const page: { items: { id: string }[]; nextCursor: string | null } = body
    ids.push(...page.items.map(({ id }) => id))
    cursor = page.nextCursor
    await meanwhile()
  }
  return ids
}

/** Carries out a change, and hands it to the search lists' job as the table's stream would. */
export async function followedBySearch(id: ListingId, change: () => Promise<unknown>): Promise<void> {
  const before = await listingOf(id)
  await change()
  const after = await listingOf(id)
  await deliveredTo(followListings, [changeOf(before, after)])
}
