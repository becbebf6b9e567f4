import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { spec as archiveListing } from '#functions/listings/archive-listing'
import { spec as editListing } from '#functions/listings/edit-listing'
import { spec as moderateListing } from '#functions/listings/moderate-listing'
import { spec as setAvailability } from '#functions/listings/set-availability'
import { spec as withdrawRevision } from '#functions/listings/withdraw-revision'
import { spec as createUpload } from '#functions/media/create-upload'
import { spec as deleteMedia } from '#functions/media/delete-media'
import { spec as updateMedia } from '#functions/media/update-media'
import { WebhookEventType } from '#lib/events/event-types'
import type { ListingId } from '#lib/kernel/id'
import { newId } from '#lib/kernel/id'
import { sha256 } from '#lib/kernel/signatures'
import { openListings } from '#lib/listings/listing-store.dynamo'
import { settle } from '#lib/listings/media/process-media'
import { openWaitingMedia } from '#lib/listings/media/waiting-media.dynamo'
import { call } from '#test/support/call'
import { deliver, fromGateway } from '#test/support/callbacks'
import { eventsNaming } from '#test/support/events'
import { endpointSpecs } from '#test/support/function-modules'
import { aVerifiedAgent, consoleToken, type GivenUser } from '#test/support/given'
import { aMedia, listingOf } from '#test/support/listings'
import { delivered, processed, uploaded } from '#test/support/media'
import { aPaymentRequest, begun } from '#test/support/payment-requests'
import { paid } from '#test/support/payments'
import { jpeg, png } from '#test/support/pictures'
import { aPublishedListing } from '#test/support/published'
import { testTable } from '#test/support/test-table'

let agent: GivenUser
let admin: string

beforeAll(async () => {
  agent = await aVerifiedAgent()
  admin = await consoleToken()
})

const own = (id: ListingId) => ({ params: { id }, token: agent.token })
const edit = (id: ListingId, body: object) => call(editListing, { ...own(id), body })
const mediaIds = async (id: ListingId) => (await listingOf(id))?.media.map((media) => media.id) ?? []
const reorder = async (id: ListingId, more: object = {}) =>
  call(updateMedia, { ...own(id), body: { order: (await mediaIds(id)).reverse() }, ...more })
const remove = async (id: ListingId, more: object = {}) => {
  const [mediaId = ''] = await mediaIds(id)
  return call(deleteMedia, { params: { id, mediaId }, token: agent.token, ...more })
}
const announce = (id: ListingId) =>
  call(createUpload, {
    ...own(id),
    body: {
      contentType: 'video/mp4',
      bytes: 1_000,
      sha256: sha256(randomUUID()),
    },
  })
const caption = async (id: ListingId) => {
  const [mediaId = ''] = await mediaIds(id)
  return call(updateMedia, { ...own(id), body: { captions: { [mediaId]: randomUUID() } } })
}
const ifMatch = async (id: ListingId) => ({
  headers: { 'if-match': `"${(await listingOf(id))?.version}"` },
})
const settled = async (id: ListingId) => {
  const media = (await listingOf(id))?.media.at(-1)
  if (!media) throw new Error(id)
  const table = testTable()
  const deps = {
    listings: openListings(table),
    waiting: openWaitingMedia(table),
    now: () => new Date(),
    newId,
  }
  const outcome = { status: 'REJECTED', reason: 'upload_expired' } as const
  return settle(deps, { listingId: id, mediaId: media.id }, outcome)
}

type Step = {
  title: string
  route: string
  type: string
  before?: (id: ListingId) => Promise<unknown>
  act: (id: ListingId) => Promise<unknown>
}

/** Each way to change the version of a public listing, and the most particular event that tells of it. */
const STEPS: Step[] = [
  {
    title: 'a new price',
    route: 'PATCH /listings/{id}',
    type: 'listing.price_changed',
    act: (id) => edit(id, { price: { amount: 7, currency: 'XOF' } }),
  },
  {
    title: 'a new title',
    route: 'PATCH /listings/{id}',
    type: 'revision.submitted',
    act: (id) => edit(id, { title: 'House by the river' }),
  },
  {
    title: 'another title while one waits',
    route: 'PATCH /listings/{id}',
    type: 'revision.submitted',
    before: (id) => edit(id, { title: 'House by the river' }),
    act: (id) => edit(id, { title: 'House by the lake' }),
  },
  {
    title: 'a title that is changed back',
    route: 'PATCH /listings/{id}',
    type: 'listing.updated',
    before: (id) => edit(id, { title: 'House by the river' }),
    act: (id) => edit(id, { title: 'House by the lagoon' }),
  },
  {
    title: 'a new reference',
    route: 'PATCH /listings/{id}',
    type: 'listing.updated',
    act: (id) => edit(id, { reference: randomUUID() }),
  },
  {
    title: 'a location that becomes approximate',
    route: 'PATCH /listings/{id}',
    type: 'listing.updated',
    act: (id) => edit(id, { location: { country: 'CI', city: 'Abidjan', precision: 'approximate' } }),
  },
  {
    title: 'a revision that is taken back',
    route: 'DELETE /listings/{id}/revision',
    type: 'listing.updated',
    before: (id) => edit(id, { title: 'House by the river' }),
    act: (id) => call(withdrawRevision, own(id)),
  },
  ...(['PUBLISHED', 'REJECTED'] as const).map((status) => ({
    title: `a revision that is ${status}`,
    route: 'PATCH /listings/{id}/moderate',
    type: 'revision.decided',
    before: (id: ListingId) => edit(id, { title: 'House by the river' }),
    act: (id: ListingId) =>
      call(moderateListing, { params: { id }, token: admin, body: { status, message: 'Fine' } }),
  })),
  {
    title: 'a suspension',
    route: 'PATCH /listings/{id}/moderate',
    type: 'listing.status_changed',
    act: (id) =>
      call(moderateListing, { params: { id }, token: admin, body: { status: 'SUSPENDED', message: 'No' } }),
  },
  {
    title: 'an availability',
    route: 'PUT /listings/{id}/availability',
    type: 'listing.availability_changed',
    act: (id) => call(setAvailability, { ...own(id), body: { state: 'UNDER_OFFER' } }),
  },
  {
    title: 'an archived listing',
    route: 'DELETE /listings/{id}',
    type: 'listing.status_changed',
    act: (id) => call(archiveListing, own(id)),
  },
  {
    title: 'a picture that begins a revision',
    route: 'POST /listings/{id}/media',
    type: 'revision.submitted',
    act: (id) => uploaded(id, agent.token, [jpeg()]),
  },
  {
    title: 'a second picture that waits',
    route: 'POST /listings/{id}/media',
    type: 'revision.submitted',
    before: (id) => uploaded(id, agent.token, [jpeg()]),
    act: (id) => uploaded(id, agent.token, [png()]),
  },
  {
    title: 'a film that is named',
    route: 'POST /listings/{id}/media/uploads',
    type: 'revision.submitted',
    act: announce,
  },
  {
    title: 'a film that never came',
    route: 'the job expireUploads',
    type: 'listing.updated',
    before: announce,
    act: settled,
  },
  {
    title: 'a picture that is ready',
    route: 'the function processMedia',
    type: 'media.ready',
    before: (id) => uploaded(id, agent.token, [jpeg()]),
    act: async (id) => delivered(id, (await mediaIds(id)).at(-1) ?? ''),
  },
  {
    title: 'another order',
    route: 'PATCH /listings/{id}/media',
    type: 'listing.updated',
    act: reorder,
  },
  {
    title: 'another order of a version that was seen',
    route: 'PATCH /listings/{id}/media',
    type: 'listing.updated',
    act: async (id) => reorder(id, await ifMatch(id)),
  },
  {
    title: 'a caption',
    route: 'PATCH /listings/{id}/media',
    type: 'revision.submitted',
    act: caption,
  },
  {
    title: 'a caption of a picture that waits',
    route: 'PATCH /listings/{id}/media',
    type: 'revision.submitted',
    before: (id) => uploaded(id, agent.token, [jpeg()]),
    act: async (id) => {
      const mediaId = (await mediaIds(id)).at(-1) ?? ''
      return call(updateMedia, { ...own(id), body: { captions: { [mediaId]: 'The terrace' } } })
    },
  },
  {
    title: 'a picture that is deleted',
    route: 'DELETE /listings/{id}/media/{mediaId}',
    type: 'listing.updated',
    act: remove,
  },
  {
    title: 'a picture of a version that was seen',
    route: 'DELETE /listings/{id}/media/{mediaId}',
    type: 'listing.updated',
    act: async (id) => remove(id, await ifMatch(id)),
  },
]

/** What moves no listing that is public, or makes one. */
const OTHERS = ['POST /listings', 'POST /listings/{id}/submit', 'POST /listings/{id}/withdraw']

/** What makes a payment known may hold its listing or let it go: one use case for all of them, see below. */
const BY_PAYMENTS = [
  'POST /payments',
  'POST /payments/{id}/cancel',
  'POST /payments/{id}/refunds',
  'POST /payments/{id}/refunds/{refundId}/resolve',
  'POST /payment-requests/{id}/cancel',
  'POST /admin/payments/callbacks/{id}/replay',
  'POST /admin/payments/callbacks/{id}/resolve',
]

const typesSince = async (id: ListingId, known: ReadonlySet<string>) =>
  (await eventsNaming(id)).filter((event) => !known.has(event.id)).map(({ type }) => type)
const knownOf = async (id: ListingId) => new Set((await eventsNaming(id)).map((event) => event.id))

describe('every change of the version of a public listing', () => {
  it('is made by a route that is walked here', async () => {
    const writers = (await endpointSpecs()).filter(
      ({ route, deps }) =>
        !route.startsWith('GET ') &&
        Object.values(deps).some(({ uses }) => uses?.['LISTING']?.includes('write')),
    )
    const walked = new Set([...STEPS.map(({ route }) => route), ...OTHERS, ...BY_PAYMENTS])
    const routes: string[] = writers.map(({ route }) => route)
    expect(routes.filter((route) => !walked.has(route))).toEqual([])
    expect([...walked].filter((route) => route.includes('/') && !routes.includes(route))).toEqual([])
  })

  it.each(STEPS)('sends an event that names it: $title is $type', async ({ type, before, act }) => {
    const id = await aPublishedListing(agent.id, { media: [aMedia(), aMedia(), aMedia()] })
    await before?.(id)
    const [known, version = 0] = [await knownOf(id), (await listingOf(id))?.version]
    await act(id)
    expect((await listingOf(id))?.version).toBeGreaterThan(version)
    const types = await typesSince(id, known)
    expect(types).toContain(type)
    for (const sent of types) expect(WebhookEventType.options).toContain(sent)
  })

  it('a payment’s change of the version sends listing.availability_changed', async () => {
    const { listing, customer, request } = await aPaymentRequest({ purpose: 'deposit' })
    const id = listing as ListingId
    const payment = await begun(customer, request.id)
    let known = await knownOf(id)
    await paid(payment)
    expect((await listingOf(id))?.availability).toBe('UNDER_OFFER')
    expect(await typesSince(id, known)).toContain('listing.availability_changed')
    known = await knownOf(id)
    const { amount, currency } = payment
    const data = { reference: payment.id, dispute_id: randomUUID(), amount, currency, status: 'succeeded' }
    await deliver(fromGateway('payment.refunded', data))
    expect((await listingOf(id))?.availability).toBe('AVAILABLE')
    expect(await typesSince(id, known)).toContain('listing.availability_changed')
  })
})

describe('a change that makes no version', () => {
  it('sends nothing', async () => {
    const id = await aPublishedListing(agent.id, { media: [aMedia(), aMedia()] })
    await processed(id, agent.token, [jpeg()])
    const [known, version] = [await knownOf(id), (await listingOf(id))?.version]
    await edit(id, { title: 'House by the lagoon' })
    await call(updateMedia, { ...own(id), body: { order: await mediaIds(id) } })
    await uploaded(id, agent.token, [jpeg()])
    await call(setAvailability, { ...own(id), body: { state: 'AVAILABLE' } })
    expect((await listingOf(id))?.version).toBe(version)
    expect(await typesSince(id, known)).toEqual([])
  })
})
