import { spec as moderateListing } from '#functions/listings/moderate-listing'
import { spec as searchListings } from '#functions/listings/search-listings'
import type { ListingId } from '#lib/kernel/id'
import type { Listing } from '#lib/listings/listing'
import { call } from './call.ts'
import { consoleToken } from './given.ts'
import { aListing, aMedia, COMPLETE } from './listings.ts'

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

/** Answers a search as a client gets it: one that a busy machine answers 503 is asked again. */
export async function searched(query: Record<string, string>) {
  for (let attempt = 1; ; attempt += 1) {
    const answer = await call(searchListings, { query })
    if (answer.status !== 503 || attempt === 5) return answer
  }
}

/** The ids that a search answers, followed to the last cursor. */
export async function found(
  query: Record<string, string> = {},
  meanwhile = async () => {},
): Promise<string[]> {
  const ids: string[] = []
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const { status, body, text } = await searched({ ...query, ...(cursor && { cursor }) })
    if (status !== 200) throw new Error(text)
    ids.push(...body.items.map(({ id }) => id))
    cursor = body.nextCursor
    await meanwhile()
  }
  return ids
}
