import { describe, expect, it } from 'vitest'
import { spec as editListing } from '#functions/listings/edit-listing'
import { spec as setAvailability } from '#functions/listings/set-availability'
import { spec as withdrawRevision } from '#functions/listings/withdraw-revision'
import { spec as createUpload } from '#functions/media/create-upload'
import { spec as deleteMedia } from '#functions/media/delete-media'
import { spec as updateMedia } from '#functions/media/update-media'
import { spec as uploadMedia } from '#functions/media/upload-media'
import { openQuotas } from '#lib/dynamo/quotas'
import { timestamp } from '#lib/kernel/clock'
import type { ListingId } from '#lib/kernel/id'
import * as signatures from '#lib/kernel/signatures'
import type { Listing } from '#lib/listings/listing'
import { call, problemOf } from '#test/support/call'
import { aVerifiedAgent, consoleToken, type GivenUser } from '#test/support/given'
import { aListing, aMedia, COMPLETE, listingOf } from '#test/support/listings'
import { filePart, multipartBody } from '#test/support/multipart'
import { jpeg } from '#test/support/pictures'
import { moderated } from '#test/support/published'
import { testTable } from '#test/support/test-table'

const LISTING_LIMIT = { policy: 'listing-changes', limit: 60, windowSeconds: 3600 }
const AGENT_LIMIT = { policy: 'agent-changes', limit: 600, windowSeconds: 3600 }

/** The time of every request here, so that no hour of the clock ends in a test. */
const AT = new Date()
const now = () => AT

const counted = (quota: typeof LISTING_LIMIT, subject: string, times: number) =>
  testTable().commit([openQuotas(testTable()).count(quota, subject, AT, times)])

/** A listing with two pictures, and with a revision unless it is a draft. */
async function aListingOf(agent: GivenUser, more: Partial<Listing> = {}): Promise<Listing> {
  const id = await aListing(agent.id, {
    ...COMPLETE,
    media: [aMedia(), aMedia()],
    revision: { changes: { bedrooms: 9 }, submittedAt: timestamp(AT) },
    ...more,
  })
  return (await listingOf(id)) as Listing
}

type Caller = { id: ListingId; token: string; listing: Listing }
const sha256 = signatures.sha256('a picture')
const setPrice = ({ id, token }: Caller, amount: number) =>
  call(editListing, { params: { id }, token, body: { price: { amount, currency: 'XOF' } }, deps: { now } })
const deletePicture = ({ id, token, listing }: Caller) => {
  const params = { id, mediaId: listing.media[0]?.id ?? '' }
  return call(deleteMedia, { params, token, deps: { now } })
}
const sendPicture = ({ id, token }: Caller) =>
  call(uploadMedia, {
    params: { id },
    token,
    headers: { 'content-type': 'multipart/form-data; boundary=b' },
    rawBody: multipartBody('b', [filePart(jpeg())]),
    deps: { now },
  })

const CHANGES = {
  'a new price': (caller: Caller) => setPrice(caller, 7),
  'a change that waits for a moderator': ({ id, token }: Caller) =>
    call(editListing, { params: { id }, token, body: { bedrooms: 8 }, deps: { now } }),
  'another availability': ({ id, token }: Caller) =>
    call(setAvailability, { params: { id }, token, body: { state: 'PAUSED' }, deps: { now } }),
  'a new order of media': ({ id, token, listing }: Caller) => {
    const order = listing.media.map((media) => media.id).reverse()
    return call(updateMedia, { params: { id }, token, body: { order }, deps: { now } })
  },
  'a deleted picture': deletePicture,
  'a sent picture': sendPicture,
  'an announced picture': ({ id, token }: Caller) => {
    const body = { contentType: 'image/jpeg', bytes: 9, sha256 }
    return call(createUpload, { params: { id }, token, body, deps: { now } })
  },
  'a withdrawn revision': ({ id, token }: Caller) =>
    call(withdrawRevision, { params: { id }, token, deps: { now } }),
}

describe.each(Object.entries(CHANGES))('%s', (_name, change) => {
  it('of a public listing is a 429 after 60 changes of the listing in an hour, and changes nothing', async () => {
    const agent = await aVerifiedAgent()
    const [listing, other] = [await aListingOf(agent), await aListingOf(agent)]
    await counted(LISTING_LIMIT, listing.id, 60)
    const refused = await change({ id: listing.id, token: agent.token, listing })
    expect(problemOf(refused)).toMatchObject({ status: 429, code: 'too_many_requests' })
    expect(refused.headers).toMatchObject({
      'retry-after': expect.stringMatching(/^\d+$/),
      ratelimit: expect.stringContaining('listing-changes'),
      'ratelimit-policy': expect.stringContaining('q=60;w=3600'),
    })
    expect(await listingOf(listing.id)).toEqual(listing)
    expect((await change({ id: other.id, token: agent.token, listing: other })).status).toBeLessThan(300)
  })

  it('of a public listing is a 429 after 600 changes of the agent’s public listings in an hour', async () => {
    const agent = await aVerifiedAgent()
    const listing = await aListingOf(agent)
    await counted(AGENT_LIMIT, agent.id, 599)
    expect((await change({ id: listing.id, token: agent.token, listing })).status).toBeLessThan(300)
    const next = await aListingOf(agent)
    expect((await change({ id: next.id, token: agent.token, listing: next })).status).toBe(429)
  })
})

describe('the limits of changes', () => {
  it('count neither changes of drafts and suspended listings, nor requests that change nothing', async () => {
    const agent = await aVerifiedAgent()
    const { token } = agent
    await counted(AGENT_LIMIT, agent.id, 600)
    for (const status of ['DRAFT', 'SUSPENDED'] as const) {
      const listing = await aListingOf(agent, { status })
      expect((await setPrice({ id: listing.id, token, listing }, 7)).status).toBe(200)
      expect((await deletePicture({ id: listing.id, token, listing })).status).toBe(204)
    }
    const { id, price, availability: state } = await aListingOf(agent, { revision: null })
    const same = { params: { id }, token, deps: { now } }
    expect((await call(editListing, { ...same, body: { price } })).status).toBe(200)
    expect((await call(setAvailability, { ...same, body: { state } })).status).toBe(200)
    expect((await call(updateMedia, { ...same, body: {} })).status).toBe(200)
    expect((await call(withdrawRevision, same)).status).toBe(204)
  })

  it('count both a pause and the return from it', async () => {
    const agent = await aVerifiedAgent()
    const { id } = await aListingOf(agent)
    await counted(LISTING_LIMIT, id, 58)
    const set = async (state: string) =>
      (await call(setAvailability, { params: { id }, token: agent.token, body: { state }, deps: { now } }))
        .status
    expect([await set('PAUSED'), await set('AVAILABLE'), await set('PAUSED')]).toEqual([200, 200, 429])
  })

  it('count no change that an administrator makes', async () => {
    const agent = await aVerifiedAgent()
    const listing = await aListingOf(agent)
    const { id } = listing
    await counted(LISTING_LIMIT, id, 60)
    await counted(AGENT_LIMIT, agent.id, 600)
    const token = await consoleToken()
    expect((await deletePicture({ id, token, listing })).status).toBe(204)
    expect((await sendPicture({ id, token, listing })).status).toBe(201)
    await moderated(id, { status: 'PUBLISHED' })
    expect((await listingOf(id))?.bedrooms).toBe(9)
  })

  it('count a change that is refused otherwise not at all', async () => {
    const agent = await aVerifiedAgent()
    const listing = await aListingOf(agent)
    const { id } = listing
    await counted(LISTING_LIMIT, id, 59)
    const stale = { 'if-match': '"0-owner"' }
    const body = { price: { amount: 7, currency: 'XOF' } }
    const refused = { params: { id }, token: agent.token, headers: stale, body, deps: { now } }
    expect((await call(editListing, refused)).status).toBe(412)
    expect((await setPrice({ id, token: agent.token, listing }, 7)).status).toBe(200)
    expect((await setPrice({ id, token: agent.token, listing }, 8)).status).toBe(429)
  })
})
