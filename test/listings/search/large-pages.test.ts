import { beforeAll, describe, expect, it } from 'vitest'
import { spec as listOwnListings } from '#functions/listings/list-own-listings'
import { spec as listQueue } from '#functions/listings/list-queued-listings'
import { spec as searchListings } from '#functions/listings/search-listings'
import type { ListingId } from '#lib/kernel/id'
import { openListings } from '#lib/listings/listing-store.dynamo'
import type { Variant } from '#lib/listings/media/media'
import { call } from '#test/support/call'
import { aVerifiedAgent, consoleToken, type GivenUser } from '#test/support/given'
import { aListing, aMedia, COMPLETE } from '#test/support/listings'
import type { ListSpec } from '#test/support/pages'
import { aPublishedListing } from '#test/support/published'
import { testTable } from '#test/support/test-table'

/** The most that Lambda hands on of an answer, its body quoted within it. */
const LAMBDA_BYTES = 6_291_556

/** More than one answer carries: those that wait have long private links. */
const [PUBLISHED, WAITING] = [55, 40]

/** The variants of a picture as they are made. */
const VARIANTS: Variant[] = (['thumb', 'card', 'full'] as const).flatMap((name) =>
  (['image/webp', 'image/jpeg'] as const).map((contentType) => ({
    name,
    contentType,
    page: null,
    width: 2_048,
    height: 1_365,
    hash: 'h'.repeat(22),
  })),
)

/** As many pictures as a listing may have. */
const media = () => Array.from({ length: 40 }, () => aMedia({ variants: VARIANTS, caption: '"'.repeat(300) }))

/** A listing that is live and long described, with these pictures as if they had been made long ago. */
async function illustrated(id: ListingId): Promise<ListingId> {
  const listings = openListings(testTable())
  const seen = await listings.get(id)
  if (!seen) throw new Error('There is no such listing')
  const next = { ...seen, description: '"'.repeat(5_000), media: media(), version: seen.version + 1 }
  await listings.commit(listings.replace(seen, next))
  return id
}

let agent: GivenUser
let waiting: ListingId[]
let published: ListingId[]

beforeAll(async () => {
  agent = await aVerifiedAgent()
  const location = {
    country: 'CI',
    city: 'Abidjan',
    district: null,
    address: null,
    lat: 5.3,
    lng: -4,
    precision: 'exact' as const,
  }
  waiting = []
  for (let count = 0; count < WAITING; count += 1) {
    waiting.push(await aListing(agent.id, { ...COMPLETE, media: media(), status: 'PENDING_REVIEW' }))
  }
  published = []
  for (let count = 0; count < PUBLISHED; count += 1) {
    published.push(await illustrated(await aPublishedListing(agent.id, { location })))
  }
}, 120_000)

/** The ids of a list followed to its end, asked for as much as may be asked for; every answer must be one. */
async function followed(
  spec: ListSpec<{ id: ListingId }>,
  query: Record<string, string>,
  token?: string,
): Promise<ListingId[]> {
  const ids: ListingId[] = []
  let pages = 0
  for (let cursor: string | null | undefined; cursor !== null; pages += 1) {
    const answer = await call(spec, { token, query: { ...query, limit: '100', ...(cursor && { cursor }) } })
    expect(answer.status).toBe(200)
    expect(Buffer.byteLength(JSON.stringify(answer.text))).toBeLessThan(LAMBDA_BYTES - 10_000)
    ids.push(...answer.body.items.map(({ id }) => id))
    cursor = answer.body.nextCursor
  }
  expect(pages).toBeGreaterThan(1)
  return ids
}

describe('a page of listings with all the pictures they may have', () => {
  it.each([
    ['newest', {}],
    ['price', { sort: 'price', currency: 'XOF' }],
    ['distance', { near: '5.3,-4', radiusKm: '1' }],
  ])('is as short as Lambda needs it, and the search by %s holds each once', async (_sort, query) => {
    const ids = await followed(searchListings, query)
    expect(ids.toSorted()).toEqual(published.toSorted())
  })

  it('holds every card that is asked for by its id, since cards leave most of a listing out', async () => {
    const ids = published.slice(0, 50)
    const { body } = await call(searchListings, { query: { ids, view: 'card' } })
    expect(body.items.map(({ id }) => id)).toEqual(ids)
  })

  it('is so in the agent’s own list', async () => {
    const ids = await followed(listOwnListings, {}, agent.token)
    expect(ids.toSorted()).toEqual([...waiting, ...published].toSorted())
  })

  it('is so in the moderation queue', async () => {
    const ids = await followed(listQueue, {}, await consoleToken())
    expect(ids.toSorted()).toEqual(waiting.toSorted())
  })
})
