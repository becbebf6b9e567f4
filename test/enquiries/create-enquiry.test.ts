import { describe, expect, it } from 'vitest'
import { spec as createEnquiry } from '#functions/enquiries/create-enquiry'
import { spec as getEnquiry } from '#functions/enquiries/get-enquiry'
import { enquiryKey, messagesQuery } from '#lib/enquiries/enquiry.keys'
import { openEnquiries } from '#lib/enquiries/enquiry-store.dynamo'
import type { EnquiryWithMessages } from '#lib/enquiries/get-enquiry'
import { call } from '#test/support/call'
import {
  aConversation,
  aCustomer,
  aListedHouse,
  anEnquiry,
  ask,
  send,
  sent,
  withAccount,
} from '#test/support/enquiries'
import { eventsAbout } from '#test/support/events'
import { aUser } from '#test/support/given'
import { aListing, aMedia, COMPLETE } from '#test/support/listings'
import { testTable } from '#test/support/test-table'

const tomorrow = new Date(Date.now() + 86_400_000).toISOString()

const read = async (token: string, id: string): Promise<EnquiryWithMessages> =>
  (await call(getEnquiry, { params: { id }, token })).body

describe('a question about a listing', () => {
  it('is an enquiry that is NEW, and its first message', async () => {
    const [{ agent, listing }, customer] = await Promise.all([aListedHouse(), aCustomer()])
    const { status, body } = await ask(customer, listing, {
      message: '  May I see it?  ',
      phone: '+2250700000001',
      visitAt: [tomorrow],
    })
    expect(status).toBe(201)
    expect(body).toEqual({
      id: expect.stringMatching(/^enq_[0-9A-HJKMNP-TV-Z]{26}$/),
      listing: {
        id: listing,
        title: 'House by the lagoon',
        status: 'PUBLISHED',
        currency: 'XOF',
        cover: null,
      },
      customer: { userId: customer.id, name: 'Binta Diallo', phone: '+2250700000001' },
      agent: { userId: agent.id, displayName: 'Awa Immobilier', agency: 'Awa & Co', phone: null },
      status: 'NEW',
      visitAt: [tomorrow],
      visit: null,
      unreadCount: 0,
      lastMessageAt: expect.any(String),
      createdAt: expect.any(String),
    })
    const { id } = body
    const { messages, unreadCount } = await read(agent.token, id)
    expect(unreadCount).toBe(1)
    expect(messages).toEqual({
      items: [
        {
          id: expect.stringMatching(/^msg_/),
          from: 'customer',
          text: 'May I see it?',
          at: expect.any(String),
        },
      ],
      nextCursor: null,
    })
  })

  it('is announced with ids alone', async () => {
    const { agent, listing, customer, enquiry } = await aConversation({ message: 'A secret of mine' })
    const [event, ...others] = await eventsAbout(enquiry.id)
    expect(others).toEqual([])
    expect(event).toMatchObject({ type: 'enquiry.created', subject: enquiry.id })
    expect(event?.data).toEqual({
      listingId: listing,
      customerId: customer.id,
      agentId: agent.id,
      messageId: expect.stringMatching(/^msg_/),
    })
  })

  it('shows the cover that customers see, and never the telephone number of the profile', async () => {
    const { agent } = await aListedHouse()
    const picture = aMedia({
      variants: [{ name: 'full', contentType: 'image/jpeg', page: null, width: 24, height: 16, hash: 'abc' }],
    })
    const listing = await aListing(agent.id, { ...COMPLETE, media: [picture] })
    const customer = await aCustomer({ phone: '+2250700000009' })
    const enquiry = await anEnquiry(customer, listing)
    expect(enquiry.customer?.phone).toBeNull()
    expect(enquiry.listing.cover).toMatchObject({
      id: picture.id,
      url: `${process.env['MEDIA_URL']}/${agent.id}/${listing}/${picture.id}/abc`,
      width: 24,
      variants: [{ name: 'full' }],
    })
  })

  it('joins the enquiry that the customer has already, replaces what is given and opens it again', async () => {
    const { agent, listing, customer, enquiry } = await aConversation({
      message: 'First',
      phone: '+2250700000001',
      visitAt: [tomorrow],
    })
    await sent(agent, enquiry.id, 'Yes')
    const again = await ask(customer, listing, { message: 'Second', phone: '+2250700000002' })
    expect(again).toMatchObject({
      status: 200,
      body: {
        id: enquiry.id,
        status: 'OPEN',
        customer: { phone: '+2250700000002' },
        visitAt: [tomorrow],
        unreadCount: 1,
      },
    })
    const { messages } = await read(customer.token, enquiry.id)
    expect(messages.items.map(({ text }) => text)).toEqual(['Second', 'Yes', 'First'])
    expect((await eventsAbout(enquiry.id)).map(({ type }) => type)).toEqual([
      'enquiry.created',
      'enquiry.replied',
      'enquiry.replied',
    ])
  })

  it('is one enquiry however many questions come at once, with every message once', async () => {
    const [{ listing }, customer] = await Promise.all([aListedHouse(), aCustomer()])
    const texts = Array.from({ length: 5 }, (_, number) => `Question ${number}`)
    const answers = await Promise.all(texts.map((message) => ask(customer, listing, { message })))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 200, 200, 201])
    const ids = new Set(answers.map(({ body }) => body.id))
    expect(ids.size).toBe(1)
    const { messages } = await read(customer.token, [...ids][0] ?? '')
    expect(messages.items.map(({ text }) => text).sort()).toEqual(texts)
    expect(messages.items.map(({ id }) => id)).toEqual(
      messages.items
        .map(({ id }) => id)
        .sort()
        .reverse(),
    )
  })

  it('is asked once with one Idempotency-Key', async () => {
    const [{ listing }, customer] = await Promise.all([aListedHouse(), aCustomer()])
    const headers = { 'idempotency-key': 'one-question' }
    const first = await ask(customer, listing, { message: 'Once' }, headers)
    const second = await ask(customer, listing, { message: 'Once' }, headers)
    expect(second).toMatchObject({ status: 201, body: first.body })
    expect(second.headers['idempotent-replayed']).toBe('true')
    const { messages } = await read(customer.token, first.body.id)
    expect(messages.items).toHaveLength(1)
    expect(await ask(customer, listing, { message: 'Other' }, headers)).toMatchObject({
      status: 422,
      body: { code: 'idempotency_key_reused' },
    })
  })

  it('writes the enquiry, its message and its event, and what counts them', async () => {
    const { customer, listing, enquiry } = await aConversation()
    const table = testTable()
    const before = (await table.query(messagesQuery(enquiry.id))).items.length
    await ask(customer, listing, { message: 'More' })
    expect((await table.query(messagesQuery(enquiry.id))).items.length).toBe(before + 1)
    expect(await table.get(enquiryKey(enquiry.id))).toMatchObject({ version: 2, sent: { customer: 2 } })
  })
})

describe('no question can be asked', () => {
  it('a customer without a verified e-mail asks no question', async () => {
    const { listing } = await aListedHouse()
    expect(await ask(await aUser(), listing)).toMatchObject({
      status: 403,
      body: { code: 'email_not_verified' },
    })
  })

  it('about a listing that is not public', async () => {
    const [{ agent, listing }, customer] = await Promise.all([aListedHouse(), aCustomer()])
    const draft = await aListing(agent.id, { ...COMPLETE, status: 'DRAFT' })
    for (const id of [draft, 'lst_01KAH3M6XQ8ZJ4T2V7W9C5RBND', 'lst_']) {
      expect(await ask(customer, id)).toMatchObject({ status: 404, body: { code: 'not_found' } })
    }
    await withAccount(agent.id, { status: 'BANNED' })
    expect((await ask(customer, listing)).status).toBe(404)
  })

  it('about a listing that is not there, by the same problem where enquiries cannot be read', async () => {
    const { token } = await aCustomer()
    const enquiries = {
      ...openEnquiries(testTable()),
      findExisting: () => Promise.reject(new Error('the table is away')),
    }
    const answer = await call(createEnquiry, {
      params: { id: 'lst_01KAH3M6XQ8ZJ4T2V7W9C5RBND' },
      token,
      body: { message: 'Is it still free?' },
      deps: { enquiries },
    })
    expect(answer).toMatchObject({ status: 404, body: { code: 'not_found' } })
  })

  it('about a listing of one’s own', async () => {
    const { agent, listing } = await aListedHouse()
    expect(await ask(agent, listing)).toMatchObject({ status: 409, body: { code: 'own_listing' } })
  })

  it.each([
    ['without a message', {}, 'message'],
    ['with an empty message', { message: '  ' }, 'message'],
    ['with a message of 2001 characters', { message: 'x'.repeat(2001) }, 'message'],
    ['with a telephone number of another form', { message: 'Hello', phone: '0700000001' }, 'phone'],
    ['with four visits', { message: 'Hello', visitAt: Array(4).fill(tomorrow) }, 'visitAt'],
    ['with a visit that is no time', { message: 'Hello', visitAt: ['tomorrow'] }, 'visitAt[0]'],
    [
      'with a visit in the past',
      { message: 'Hello', visitAt: [tomorrow, '2026-01-01T10:00:00Z'] },
      'visitAt[1]',
    ],
  ])('%s', async (_title, question, path) => {
    const [{ listing }, customer] = await Promise.all([aListedHouse(), aCustomer()])
    expect(await ask(customer, listing, question)).toMatchObject({
      status: 400,
      body: { code: 'validation_failed', errors: [{ path }] },
    })
  })

  it('once twenty were begun on one UTC day, and refused questions do not count', async () => {
    const [{ agent }, customer] = await Promise.all([aListedHouse(), aCustomer()])
    const listings = await Promise.all(Array.from({ length: 25 }, () => aListing(agent.id, COMPLETE)))
    expect((await ask(customer, listings[0] ?? '', {})).status).toBe(400)
    const answers = await Promise.all(listings.map((listing) => ask(customer, listing)))
    const refused = answers.filter(({ status }) => status !== 201)
    expect(refused).toHaveLength(5)
    for (const { status, body, headers } of refused) {
      expect({ status, body }).toMatchObject({ status: 429, body: { code: 'too_many_requests' } })
      expect(Number(headers['retry-after'])).toBeGreaterThan(0)
      expect(headers['ratelimit-policy']).toBe('"enquiries";q=20;w=86400')
    }
    const begun = listings[answers.findIndex(({ status }) => status === 201)] ?? ''
    expect((await ask(customer, begun, { message: 'A joining one is a message' })).status).toBe(200)
  })
})

describe('messages of an enquiry', () => {
  it('can be written by nobody but its two sides', async () => {
    const { enquiry } = await aConversation()
    const stranger = await aCustomer()
    expect(await send(stranger, enquiry.id, 'Hello')).toMatchObject({ status: 404 })
    expect(await call(getEnquiry, { params: { id: enquiry.id }, token: stranger.token })).toMatchObject({
      status: 404,
    })
    const other = `${enquiry.id.slice(0, 14)}${enquiry.id.slice(14)}`.replace('enq_0', 'enq_1')
    expect((await send(stranger, other, 'Hello')).status).toBe(404)
  })
})
