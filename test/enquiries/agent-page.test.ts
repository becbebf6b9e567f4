import { describe, expect, it } from 'vitest'
import { spec as getPublicAgent } from '#functions/accounts/get-public-agent'
import { answersOf } from '#lib/enquiries/answers'
import { type Enquiry, enquiryIdOf } from '#lib/enquiries/enquiry'
import { answersKey } from '#lib/enquiries/enquiry.keys'
import { openEnquiries } from '#lib/enquiries/enquiry-store.dynamo'
import { timestamp } from '#lib/kernel/clock'
import { EnquiryId, newId, UserId } from '#lib/kernel/id'
import { inParallel } from '#lib/kernel/parallel'
import { call } from '#test/support/call'
import { aCustomer, aListedHouse, anEnquiry, sent } from '#test/support/enquiries'
import { aListing, COMPLETE } from '#test/support/listings'
import { testTable } from '#test/support/test-table'

const NOW = new Date('2026-11-20T12:00:00.000Z')
const asked = (hoursAgo: number, minutes: number | null) => {
  const createdAt = new Date(NOW.getTime() - hoursAgo * 3600_000)
  const answeredAt = minutes === null ? null : timestamp(new Date(createdAt.getTime() + minutes * 60_000))
  return { createdAt: timestamp(createdAt), answeredAt } as Enquiry
}

describe('how an agent answers', () => {
  it('is said of five enquiries and more', () => {
    const four = Array.from({ length: 4 }, () => asked(48, 10))
    expect(answersOf(four, NOW)).toBeNull()
    expect(answersOf([...four, asked(1, null)], NOW)).toEqual({ share: 1, medianMinutes: 10 })
  })

  it('counts the share of those older than a day, and the lower median of the whole minutes of all', () => {
    const some = [asked(48, 5), asked(48, 7.9), asked(48, null), asked(2, 30), asked(2, 90), asked(1, null)]
    expect(answersOf(some, NOW)).toEqual({ share: 0.67, medianMinutes: 7 })
  })

  it('rounds half a hundredth of the share up', () => {
    const forty = Array.from({ length: 40 }, (_, index) => asked(48, index < 23 ? 10 : null))
    expect(answersOf(forty, NOW)).toEqual({ share: 0.58, medianMinutes: 10 })
  })

  it('is null in each part that no enquiry says', () => {
    expect(
      answersOf(
        Array.from({ length: 5 }, () => asked(2, null)),
        NOW,
      ),
    ).toEqual({
      share: null,
      medianMinutes: null,
    })
  })
})

describe('the page of an agent', () => {
  it('counts public listings and answers of enquiries', async () => {
    const { agent, listing } = await aListedHouse()
    await aListing(agent.id, { ...COMPLETE, availability: 'TAKEN' })
    const page = async () => (await call(getPublicAgent, { params: { userId: agent.id } })).body
    expect(await page()).toMatchObject({ listingCount: 1, memberSince: expect.any(String), answers: null })
    for (let count = 0; count < 5; count += 1) {
      const enquiry = await anEnquiry(await aCustomer(), listing)
      if (count < 2) await sent(agent, enquiry.id, 'Yes.')
    }
    expect(await page()).toMatchObject({ answers: { share: null, medianMinutes: 0 } })
  })

  it('counts the answers of more than a hundred enquiries once an hour', async () => {
    const { agent, listing } = await aListedHouse()
    const { id } = await anEnquiry(await aCustomer(), listing)
    const enquiries = openEnquiries(testTable())
    const enquiry = await enquiries.get(EnquiryId.parse(id))
    if (!enquiry) throw new Error('no enquiry')
    const text = {
      from: 'customer',
      text: 'Is it still free?',
      at: enquiry.createdAt,
      sent: enquiry.sent,
    } as const
    await inParallel(Array.from({ length: 100 }), async () => {
      const customerId = newId('user')
      const message = { ...text, id: newId('message') }
      const other = { ...enquiry, id: enquiryIdOf(newId, enquiry.listingId, customerId), customerId }
      await enquiries.commit(enquiries.insert({ ...other, lastMessageId: message.id }, message))
    })
    const answersAfter = async (minutes: number) => {
      const now = () => new Date(Date.now() + minutes * 60_000)
      return (await call(getPublicAgent, { params: { userId: agent.id }, deps: { now } })).body.answers
    }
    const unanswered = { share: null, medianMinutes: null }
    expect(await answersAfter(0)).toEqual(unanswered)
    // What is kept beyond its hour would outlive the agent's account.
    const kept = await testTable().get(answersKey(UserId.parse(agent.id)))
    expect(Number(kept?.['expiresAtSeconds'])).toBeCloseTo(Date.now() / 1000 + 3600, -2)
    await sent(agent, id, 'Yes.')
    expect(await answersAfter(59)).toEqual(unanswered)
    expect(await answersAfter(61)).toEqual({ share: null, medianMinutes: 0 })
  })
})
