import { beforeAll, describe, expect, it } from 'vitest'
import { spec as archiveListing } from '#functions/listings/archive-listing'
import { spec as editListing } from '#functions/listings/edit-listing'
import { spec as getListing } from '#functions/listings/get-listing'
import { spec as moderateListing } from '#functions/listings/moderate-listing'
import { spec as setAvailability } from '#functions/listings/set-availability'
import { spec as withdrawListing } from '#functions/listings/withdraw-listing'
import { spec as withdrawRevision } from '#functions/listings/withdraw-revision'
import { spec as deleteMedia } from '#functions/media/delete-media'
import { spec as updateMedia } from '#functions/media/update-media'
import type { Spec } from '#lib/http/spec'
import type { ListingId } from '#lib/kernel/id'
import type { Listing } from '#lib/listings/listing'
import { call } from '#test/support/call'
import { endpointSpecs } from '#test/support/function-modules'
import { aUser, aVerifiedAgent, consoleToken, type GivenUser } from '#test/support/given'
import { aListing, aMedia, COMPLETE, listingOf } from '#test/support/listings'
import { aPayment, paid } from '#test/support/payments'

let agent: GivenUser
let admin: string
let stranger: string
let payer: GivenUser

beforeAll(async () => {
  agent = await aVerifiedAgent()
  admin = await consoleToken()
  stranger = (await aUser()).token
  payer = await aUser()
})

const pictures = [aMedia(), aMedia()]
const twelfth = (more: Partial<Listing> = {}) =>
  aListing(agent.id, { ...COMPLETE, media: pictures, version: 12, ...more })

const get = (id: ListingId, token?: string, known?: string) =>
  call(getListing, { params: { id }, token, ...(known && { headers: { 'if-none-match': known } }) })

/** A listing that a customer has paid on, and that is not public since. */
async function paidFor(): Promise<ListingId> {
  const id = await twelfth()
  await paid(await aPayment(payer, { listingId: id, currency: 'XOF' }))
  await call(moderateListing, {
    params: { id },
    token: admin,
    body: { status: 'SUSPENDED', reasons: ['other'] },
  })
  return id
}

describe('the ETag of a listing', () => {
  it('names the version alone in the public view, and the view beside it in every other', async () => {
    const id = await twelfth()
    const tags = [undefined, stranger, agent.token, admin].map(
      async (token) => (await get(id, token)).headers['etag'],
    )
    expect(await Promise.all(tags)).toEqual(['"12"', '"12"', '"12-owner"', '"12-administrator"'])
    const hidden = await get(await paidFor(), payer.token)
    expect([hidden.headers['etag'], hidden.body]).toMatchObject(['"13-payer"', { view: 'payer' }])
  })

  it('is the one of the changed listing in the answer to its owner and to an administrator', async () => {
    const id = await twelfth()
    const edited = await call(editListing, { params: { id }, token: agent.token, body: { reference: 'A 1' } })
    expect(edited.headers['etag']).toBe((await get(id, agent.token)).headers['etag'])
    const body = { status: 'SUSPENDED', reasons: ['other'] }
    const moderated = await call(moderateListing, { params: { id }, token: admin, body })
    expect(moderated.headers['etag']).toBe((await get(id, admin)).headers['etag'])
  })
})

describe('If-None-Match', () => {
  it.each(['"12"', 'W/"12"', '*', '"12-owner", "12"'])(
    'with %s is answered 304 in the public view, to who is signed in as well',
    async (known) => {
      const id = await twelfth()
      expect(await get(id, undefined, known)).toMatchObject({ status: 304, headers: { etag: '"12"' } })
      expect(await get(id, stranger, known)).toMatchObject({ status: 304, headers: { etag: '"12"' } })
    },
  )

  it.each(['"12-owner"', '"12-administrator"', '"12-payer"', '"11"'])(
    'with %s is answered with the public view',
    async (known) => {
      expect(await get(await twelfth(), undefined, known)).toMatchObject({
        status: 200,
        body: { view: 'public' },
      })
    },
  )

  it.each(['"12"', '"12-owner"', '"12-administrator"', '*'])(
    'with %s is answered in full to owner and administrators, whose links end',
    async (known) => {
      const id = await twelfth()
      expect(await get(id, agent.token, known)).toMatchObject({ status: 200, body: { view: 'owner' } })
      expect(await get(id, admin, known)).toMatchObject({ status: 200, body: { view: 'administrator' } })
    },
  )

  it.each(['"13"', '"13-payer"', '*'])('a tag with %s is answered in full to a payer', async (known) => {
    expect(await get(await paidFor(), payer.token, known)).toMatchObject({
      status: 200,
      body: { view: 'payer' },
    })
  })
})

type Change = {
  spec: Spec
  by: 'owner' | 'administrator'
  body?: object
  media?: true
  seen?: Partial<Listing>
}

const price = { amount: 90_000, currency: 'XOF' }
const CHANGES: Change[] = [
  { spec: editListing, by: 'owner', body: { price } },
  { spec: archiveListing, by: 'owner' },
  { spec: setAvailability, by: 'owner', body: { state: 'PAUSED' } },
  { spec: withdrawListing, by: 'owner', seen: { status: 'PENDING_REVIEW' } },
  { spec: withdrawRevision, by: 'owner' },
  { spec: updateMedia, by: 'owner', body: { order: pictures.map(({ id }) => id).reverse() } },
  { spec: deleteMedia, by: 'owner', media: true },
  { spec: deleteMedia, media: true, by: 'administrator' },
  { spec: moderateListing, by: 'administrator', body: { status: 'SUSPENDED', reasons: ['other'] } },
]

const change = ({ spec, by, body, media }: Change, id: ListingId, match: string) =>
  call(spec, {
    params: { id, ...(media && { mediaId: pictures[0]?.id ?? '' }) },
    token: by === 'administrator' ? admin : agent.token,
    headers: { 'if-match': match },
    ...(body && { body }),
  })

describe.each(CHANGES)('If-Match on $spec.route by the $by', (way) => {
  it.each(['"12"', '"12-owner"', '"12-administrator"', '"12-payer"', 'W/"12-owner"', '"1", W/"12"', '*'])(
    'lets the version through that %s names, whichever view it is of',
    async (match) => {
      const { status } = await change(way, await twelfth(way.seen), match)
      expect([200, 204]).toContain(status)
    },
  )

  it.each(['"11"', '"11-owner"', '"120"', '"12-public"', '"owner"', '12'])(
    'refuses %s with 412 and the ETag that the caller’s GET has, and nothing has changed',
    async (match) => {
      const id = await twelfth(way.seen)
      const refused = await change(way, id, match)
      expect(refused).toMatchObject({ status: 412, body: { code: 'version_conflict' } })
      const read = await get(id, way.by === 'administrator' ? admin : agent.token)
      expect(refused.headers['etag']).toBe(`"12-${way.by}"`)
      expect(read.headers['etag']).toBe(refused.headers['etag'])
      expect((await listingOf(id))?.version).toBe(12)
      expect((await change(way, id, refused.headers['etag'] ?? '')).status).toBeLessThan(300)
    },
  )
})

it('every route that honours If-Match on a listing is tried above', async () => {
  const routes = (await endpointSpecs()).filter(
    ({ honours, route }) => honours === 'If-Match' && route.includes('/listings/'),
  )
  const tried = new Set<string>(CHANGES.map(({ spec }) => spec.route))
  expect(routes.map(({ route }) => route).sort()).toEqual([...tried].sort())
})
