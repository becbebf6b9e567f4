import { beforeAll, expect, it } from 'vitest'
import { spec as editListing } from '#functions/listings/edit-listing'
import { spec as moderateListing } from '#functions/listings/moderate-listing'
import { spec as setAvailability } from '#functions/listings/set-availability'
import type { HttpSpec } from '#lib/http/spec'
import { WriteConflict } from '#lib/kernel/write'
import type { Listing } from '#lib/listings/listing'
import type { ListingStore } from '#lib/listings/listing-store'
import { openListings } from '#lib/listings/listing-store.dynamo'
import { openSearchIndex } from '#lib/listings/search/search-index.dynamo'
import { call } from '#test/support/call'
import { testTable } from '#test/support/corpus'
import { aVerifiedAgent, consoleToken, type GivenUser } from '#test/support/given'
import { aListing, aMedia, COMPLETE, listingOf } from '#test/support/listings'

let agent: GivenUser

beforeAll(async () => {
  agent = await aVerifiedAgent()
})

/** The listings of a function whose first commit loses to another writer. */
function losingOnce(): ListingStore {
  const listings = openListings(testTable())
  let isLost = false
  return {
    ...listings,
    commit: async (writes) => {
      if (isLost) return listings.commit(writes)
      isLost = true
      throw new WriteConflict('Another writer was faster')
    },
  }
}

const WAITING = { status: 'PENDING_REVIEW', publishedAt: null } as const

it.each<[string, HttpSpec, Partial<Listing>, object, boolean]>([
  [
    'an owner',
    setAvailability,
    { status: 'PUBLISHED', availability: 'PAUSED' },
    { state: 'AVAILABLE' },
    true,
  ],
  ['an edit', editListing, { status: 'PUBLISHED' }, { price: { amount: 7, currency: 'XOF' } }, true],
  ['a moderator', moderateListing, WAITING, { status: 'PUBLISHED' }, false],
])(
  'of %s whose first commit is lost, no search entry is left but those that the listing names',
  async (_, spec, more, body, isOwner) => {
    const id = await aListing(agent.id, { ...COMPLETE, media: [aMedia()], ...more })
    const index = openSearchIndex(testTable())
    const before = (await index.entered(id)).map(({ by }) => by)
    const token = isOwner ? agent.token : await consoleToken()
    const answer = await call(spec, { params: { id }, token, body, deps: { listings: losingOnce() } })
    expect(answer.status).toBe(200)
    const added = (await index.entered(id)).map(({ by }) => by).filter((by) => !before.includes(by))
    expect(added).toEqual([(await listingOf(id))?.indexedAs])
  },
)
