import { describe, expect, it } from 'vitest'
import { spec as createEnquiry } from '#functions/enquiries/create-enquiry'
import { spec as getEnquiry } from '#functions/enquiries/get-enquiry'
import { spec as followListingMoves } from '#functions/jobs/follow-listing-moves'
import { spec as setAvailability } from '#functions/listings/set-availability'
import { closeTaken } from '#lib/enquiries/close-taken'
import { enquiries as enquiryStore } from '#lib/enquiries/enquiry-store.dynamo'
import { ListingId } from '#lib/kernel/id'
import { listingMoveKey } from '#lib/listings/listing.keys'
import { listings as listingStore } from '#lib/listings/listing-store.dynamo'
import { call } from '#test/support/call'
import { aConversation, aCustomer, anEnquiry, ask, sent } from '#test/support/enquiries'
import type { GivenUser } from '#test/support/given'
import { overtaken } from '#test/support/overtaken'
import { requested } from '#test/support/payment-requests'
import { streamTo } from '#test/support/stream'

const statusOf = async (by: GivenUser, id: string): Promise<string> =>
  (await call(getEnquiry, { params: { id }, token: by.token })).body.status

/** Sets the availability, and delivers the move as the dispatcher does. */
async function setTo(state: string, owner: GivenUser, id: string, deps = {}) {
  const answer = await call(setAvailability, { params: { id }, token: owner.token, body: { state }, deps })
  expect(answer.status).toBe(200)
  const listing = ListingId.parse(id)
  const move = (await listingStore.make().moves(listing)).findLast(({ field }) => field === 'availability')
  if (!move) throw new Error('no move')
  const deliver = () => streamTo(followListingMoves, listingMoveKey(listing, move.id))
  await deliver()
  return { move, deliver }
}

describe('a listing that is TAKEN', () => {
  it('closes its enquiries, except those with an open payment request', async () => {
    const { agent, listing, customer, enquiry } = await aConversation()
    const other = await anEnquiry(await aCustomer(), listing)
    await requested(agent, listing, other.id)
    const { move } = await setTo('TAKEN', agent, listing)
    expect(await statusOf(agent, enquiry.id)).toBe('CLOSED')
    expect(await statusOf(agent, other.id)).toBe('NEW')
    const deps = { enquiries: enquiryStore.make(), listings: listingStore.make() }
    const closed = await closeTaken(deps, ListingId.parse(listing), move)
    expect(closed).toEqual([customer.id])
  })

  it('can still be written about, which opens an enquiry for good, however often the move is delivered', async () => {
    const { agent, listing, customer, enquiry } = await aConversation()
    const { deliver } = await setTo('TAKEN', agent, listing)
    await sent(customer, enquiry.id, 'Has it fallen through?')
    await deliver()
    expect(await statusOf(agent, enquiry.id)).toBe('NEW')
    expect((await ask(customer, listing)).status).toBe(404)
  })

  it('stays away from an enquiry that was made after its return, however late the move is delivered', async () => {
    const { agent, listing, enquiry } = await aConversation()
    const { deliver } = await setTo('TAKEN', agent, listing)
    await setTo('AVAILABLE', agent, listing)
    const customer = await aCustomer()
    const later = await anEnquiry(customer, listing)
    await deliver()
    expect(await statusOf(customer, later.id)).toBe('NEW')
    expect(await statusOf(agent, enquiry.id)).toBe('CLOSED')
  })

  it('closes an enquiry that was made while the move was being stored', async () => {
    const { agent, listing } = await aConversation()
    const customer = await aCustomer()
    let enquiry = ''
    const listings = overtaken(listingStore.make(), 'commit', async () => {
      enquiry = (await anEnquiry(customer, listing)).id
    })
    await setTo('TAKEN', agent, listing, { listings })
    expect(await statusOf(customer, enquiry)).toBe('CLOSED')
  })

  it('closes nothing while it is PAUSED or UNDER_OFFER', async () => {
    const { agent, listing, enquiry } = await aConversation()
    for (const state of ['PAUSED', 'UNDER_OFFER', 'AVAILABLE']) await setTo(state, agent, listing)
    expect(await statusOf(agent, enquiry.id)).toBe('NEW')
  })

  it('closes an enquiry that was under way meanwhile', async () => {
    const { agent, listing } = await aConversation()
    const customer = await aCustomer()
    const taken = () => setTo('TAKEN', agent, listing)
    const answer = await call(createEnquiry, {
      params: { id: listing },
      token: customer.token,
      body: { message: 'Quick!' },
      deps: { enquiries: overtaken(enquiryStore.make(), 'findExisting', taken) },
    })
    expect(answer.status).toBe(201)
    expect(await statusOf(customer, answer.body.id)).toBe('CLOSED')
  })
})
