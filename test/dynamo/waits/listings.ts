import * as signatures from '#lib/kernel/signatures'
import { aCustomer } from '#test/support/enquiries'
import { aUser, aVerifiedAgent, consoleToken } from '#test/support/given'
import { aListing, aMedia, COMPLETE } from '#test/support/listings'
import { filePart, multipartBody } from '#test/support/multipart'
import { jpeg } from '#test/support/pictures'
import { aPublishedListing } from '#test/support/published'
import type { Visit } from './visit.ts'

const DRAFT = {
  offer: 'rent',
  category: 'house',
  title: 'House by the lagoon',
  description: 'Bright, quiet and close to the market.',
  price: { amount: 150_000, currency: 'XOF' },
  location: { country: 'CI', city: 'Abidjan', lat: 5.33, lng: -4.03, precision: 'exact' },
}

/** Visits what agents and moderators do with listings, and what customers find. */
export async function visitListings(visit: Visit): Promise<void> {
  await visitReview(visit)
  await visitMedia(visit)
  await visitSearch(visit)
  await visitCustomers(visit)
}

async function visitReview(visit: Visit): Promise<void> {
  const { id: agentId, token } = await aVerifiedAgent()
  const admin = await consoleToken()
  const media = [aMedia()]
  await visit('POST /listings', { token, body: DRAFT })
  const params = { id: await aListing(agentId, { ...COMPLETE, status: 'DRAFT', publishedAt: null, media }) }
  await visit('PATCH /listings/{id}', { token, params, body: { bedrooms: 3 } })
  await visit('POST /listings/{id}/submit', { token, params })
  await visit('GET /admin/listings', { token: admin })
  await visit('POST /listings/{id}/withdraw', { token, params })
  const live = {
    id: await aListing(agentId, { ...COMPLETE, status: 'PENDING_REVIEW', publishedAt: null, media }),
  }
  await visit('PATCH /listings/{id}/moderate', { token: admin, params: live, body: { status: 'PUBLISHED' } })
  await visit('PATCH /listings/{id}', { token, params: live, body: { title: 'House by the sea' } })
  await visit('DELETE /listings/{id}/revision', { token, params: live })
  await visit('PUT /listings/{id}/availability', { token, params: live, body: { state: 'UNDER_OFFER' } })
  await visit('GET /listings/{id}', { token, params: live })
  await visit('GET /listings/{id}/history', { token, params: live })
  await visit('GET /listings/{id}/statistics', { token, params: live })
  await visit('GET /listings/{id}/payments', { token, params: live })
  await visit('GET /auth/profile/listings', { token })
  await visit('GET /auth/profile/listings/counts', { token })
  await visit('DELETE /listings/{id}', { token, params })
}

async function visitMedia(visit: Visit): Promise<void> {
  const { id: agentId, token } = await aVerifiedAgent()
  const media = [aMedia(), aMedia()]
  const id = await aListing(agentId, { status: 'DRAFT', media })
  await visit('POST /listings/{id}/media', {
    token,
    params: { id },
    rawBody: multipartBody('b', [filePart(jpeg())]),
    headers: { 'content-type': 'multipart/form-data; boundary=b' },
  })
  const sha256 = signatures.sha256('a picture')
  await visit('POST /listings/{id}/media/uploads', {
    token,
    params: { id },
    body: { contentType: 'image/jpeg', bytes: 9, sha256 },
  })
  const mediaId = media[0]?.id ?? ''
  const changed = [{ id: mediaId, caption: 'The lagoon' }]
  await visit('PATCH /listings/{id}/media', { token, params: { id }, body: { items: changed } })
  await visit('DELETE /listings/{id}/media/{mediaId}', { token, params: { id, mediaId } })
}

async function visitSearch(visit: Visit): Promise<void> {
  await aPublishedListing((await aVerifiedAgent()).id)
  await visit('GET /listings')
  await visit('GET /listings/facets')
  await visit('GET /listings/map', { query: { bbox: '-5,5,-4,6', zoom: '8' } })
  await visit('GET /places', { query: { q: 'Abi' } })
  const { token } = await aUser()
  const { id }: { id: string } = await visit('POST /saved-searches', {
    token,
    body: { name: 'By the sea', filters: { country: 'CI' }, alert: 'instant' },
  })
  await visit('GET /saved-searches', { token })
  await visit('GET /saved-searches/{id}', { token, params: { id } })
  await visit('PATCH /saved-searches/{id}', { token, params: { id }, body: { name: 'By the lagoon' } })
  await visit('DELETE /saved-searches/{id}', { token, params: { id } })
}

async function visitCustomers(visit: Visit): Promise<void> {
  const listingId = await aPublishedListing((await aVerifiedAgent()).id)
  const { token } = await aCustomer()
  const admin = await consoleToken()
  await visit('POST /listings/{id}/views', { params: { id: listingId } })
  await visit('PUT /favourites/{listingId}', { token, params: { listingId } })
  await visit('GET /favourites', { token })
  await visit('DELETE /favourites/{listingId}', { token, params: { listingId } })
  await visit('POST /listings/{id}/reports', {
    token,
    params: { id: listingId },
    body: { reason: 'misleading' },
  })
  await visit('GET /admin/reports', { token: admin })
  await visit('GET /admin/reports/{listingId}', { token: admin, params: { listingId } })
  await visit('PATCH /admin/reports/{listingId}', {
    token: admin,
    params: { listingId },
    body: { outcome: 'DISMISSED', upTo: new Date().toISOString() },
  })
}
