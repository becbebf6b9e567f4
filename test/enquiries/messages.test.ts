import { beforeAll, describe, expect, it } from 'vitest'
import { spec as getEnquiry } from '#functions/enquiries/get-enquiry'
import { spec as markRead } from '#functions/enquiries/mark-enquiry-read'
import { spec as sendMessage } from '#functions/enquiries/send-message'
import { spec as updateEnquiry } from '#functions/enquiries/update-enquiry'
import type { EnquiryWithMessages } from '#lib/enquiries/get-enquiry'
import { call } from '#test/support/call'
import { aConversation, aCustomer, ask, send, sent, withAccount } from '#test/support/enquiries'
import { eventsAbout } from '#test/support/events'
import type { GivenUser } from '#test/support/given'

const read = async (by: GivenUser, id: string, query = {}): Promise<EnquiryWithMessages> =>
  (await call(getEnquiry, { params: { id }, token: by.token, query })).body

const marked = (by: GivenUser, id: string, upTo: string) =>
  call(markRead, { params: { id }, token: by.token, body: { upTo } })

const patched = (by: GivenUser, id: string, body: object) =>
  call(updateEnquiry, { params: { id }, token: by.token, body })

describe('a message', () => {
  it('the agent’s message opens a NEW enquiry and is unread for the customer alone', async () => {
    const { agent, customer, enquiry } = await aConversation()
    const answer = await send(agent, enquiry.id, 'Yes, it is')
    expect(answer).toMatchObject({ status: 201 })
    expect(answer.body).toEqual({
      id: expect.stringMatching(/^msg_/),
      from: 'agent',
      text: 'Yes, it is',
      at: expect.any(String),
    })
    expect(await read(customer, enquiry.id)).toMatchObject({ status: 'OPEN', unreadCount: 1 })
    expect(await read(agent, enquiry.id)).toMatchObject({ unreadCount: 1 })
    expect(await eventsAbout(enquiry.id)).toMatchObject([
      { type: 'enquiry.created' },
      { type: 'enquiry.replied', data: { from: 'agent', messageId: answer.body.id } },
    ])
  })

  it('the customer’s message leaves an unanswered enquiry NEW, also when it opens a CLOSED one', async () => {
    const { agent, customer, enquiry } = await aConversation()
    await sent(customer, enquiry.id, 'Hello?')
    expect((await read(customer, enquiry.id)).status).toBe('NEW')
    await patched(agent, enquiry.id, { status: 'CLOSED' })
    await sent(customer, enquiry.id, 'Hello??')
    expect((await read(customer, enquiry.id)).status).toBe('NEW')
    await sent(agent, enquiry.id, 'Sorry')
    await patched(agent, enquiry.id, { status: 'CLOSED' })
    await sent(customer, enquiry.id, 'Thanks')
    expect((await read(customer, enquiry.id)).status).toBe('OPEN')
  })

  it('is sent once with one Idempotency-Key', async () => {
    const { customer, enquiry } = await aConversation()
    const once = () =>
      call(sendMessage, {
        params: { id: enquiry.id },
        token: customer.token,
        body: { text: 'Once' },
        headers: { 'idempotency-key': 'k' },
      })
    const [first, second] = [await once(), await once()]
    expect(second.body).toEqual(first.body)
    expect((await read(customer, enquiry.id)).messages.items).toHaveLength(2)
  })

  it('has its place among those sent at once, also where clocks differ, and none is lost', async () => {
    const { agent, customer, enquiry } = await aConversation()
    const ahead = () => new Date(Date.now() + 300_000)
    const all = await Promise.all(
      [customer, agent, customer, agent].map((by, number) =>
        call(sendMessage, {
          params: { id: enquiry.id },
          token: by.token,
          body: { text: `Message ${number}` },
          deps: number % 2 ? { now: ahead } : {},
        }),
      ),
    )
    expect(all.map(({ status }) => status)).toEqual([201, 201, 201, 201])
    const { messages } = await read(customer, enquiry.id, { limit: '100' })
    expect(messages.items).toHaveLength(5)
    const times = messages.items.map(({ at }) => at)
    expect(times).toEqual([...times].sort().reverse())
    expect((await read(customer, enquiry.id)).unreadCount).toBe(2)
    await marked(customer, enquiry.id, messages.items[0]?.id ?? '')
    expect((await read(customer, enquiry.id)).unreadCount).toBe(0)
  })

  it('is one of a hundred in an hour at most', async () => {
    const { customer, enquiry } = await aConversation()
    const statuses: number[] = []
    for (let count = 0; count < 100; count += 1)
      statuses.push((await send(customer, enquiry.id, 'Again')).status)
    expect(statuses.filter((status) => status === 201)).toHaveLength(99)
    expect(await send(customer, enquiry.id, 'Again')).toMatchObject({
      status: 429,
      headers: { 'ratelimit-policy': '"messages";q=100;w=3600' },
    })
  })

  it.each([{}, { text: '' }, { text: 'x'.repeat(2001) }, { text: 7 }])('is not %j', async (body) => {
    const { customer, enquiry } = await aConversation()
    expect(
      await call(sendMessage, { params: { id: enquiry.id }, token: customer.token, body }),
    ).toMatchObject({ status: 400, body: { code: 'validation_failed', errors: [{ path: 'text' }] } })
  })
})

describe('a read mark', () => {
  it('counts everything up to a message as read and never moves back', async () => {
    const { agent, customer, enquiry } = await aConversation()
    const first = await sent(agent, enquiry.id, 'One')
    await sent(customer, enquiry.id, 'Between')
    const second = await sent(agent, enquiry.id, 'Two')
    await sent(agent, enquiry.id, 'Three')
    expect((await read(customer, enquiry.id)).unreadCount).toBe(3)
    expect((await marked(customer, enquiry.id, second.id)).status).toBe(204)
    expect((await read(customer, enquiry.id)).unreadCount).toBe(1)
    expect((await marked(customer, enquiry.id, first.id)).status).toBe(204)
    expect((await read(customer, enquiry.id)).unreadCount).toBe(1)
    expect((await read(agent, enquiry.id)).unreadCount).toBe(2)
  })

  it('a mark at an unknown message, or one of another enquiry, is a 404', async () => {
    const [one, other] = await Promise.all([aConversation(), aConversation()])
    const foreign = await sent(other.agent, other.enquiry.id, 'Here')
    for (const upTo of [foreign.id, 'msg_01KAH3M6XQ8ZJ4T2V7W9C5RBND', 'message']) {
      expect((await marked(one.customer, one.enquiry.id, upTo)).status).toBe(404)
    }
    expect((await marked(other.customer, one.enquiry.id, foreign.id)).status).toBe(404)
  })
})

describe('pages of messages', () => {
  it('go from the newest to the oldest, and their cursors are of their enquiry', async () => {
    const [{ agent, customer, enquiry }, other] = await Promise.all([aConversation(), aConversation()])
    for (const text of ['b', 'c', 'd']) await sent(agent, enquiry.id, text)
    const texts: (string | null)[] = []
    let cursor: string | null = null
    do {
      const query: Record<string, string> = { limit: '2', ...(cursor && { cursor }) }
      const { messages } = await read(customer, enquiry.id, query)
      texts.push(...messages.items.map(({ text }) => text))
      cursor = messages.nextCursor
    } while (cursor !== null)
    expect(texts).toEqual(['d', 'c', 'b', 'Is it still free in June?'])
    const { messages } = await read(customer, enquiry.id, { limit: '1' })
    const query = { cursor: messages.nextCursor ?? '' }
    expect(
      await call(getEnquiry, { params: { id: other.enquiry.id }, token: other.customer.token, query }),
    ).toMatchObject({ status: 400, body: { code: 'invalid_cursor' } })
  })
})

describe('an enquiry as its agent changes it', () => {
  it('has a visit, announced whenever it changes', async () => {
    const { agent, customer, enquiry } = await aConversation()
    const at = '2027-05-01T09:00:00.000Z'
    expect(
      await patched(agent, enquiry.id, { visit: { at: '2027-05-01T11:00:00+02:00', note: 'At the gate' } }),
    ).toMatchObject({ status: 200, body: { visit: { at, note: 'At the gate' }, status: 'NEW' } })
    await patched(agent, enquiry.id, { visit: { at, note: 'At the gate' } })
    expect(await patched(agent, enquiry.id, { visit: null })).toMatchObject({ body: { visit: null } })
    expect((await read(customer, enquiry.id)).visit).toBeNull()
    const visits = (await eventsAbout(enquiry.id)).filter(({ type }) => type === 'enquiry.visit_changed')
    expect(visits.map(({ data }) => data['visitAt'])).toEqual([at, null])
  })

  it('is CLOSED and OPEN by word of its agent, and the customer is refused', async () => {
    const { agent, customer, enquiry } = await aConversation()
    expect(await patched(agent, enquiry.id, { status: 'CLOSED' })).toMatchObject({
      body: { status: 'CLOSED' },
    })
    expect(await patched(agent, enquiry.id, { status: 'CLOSED' })).toMatchObject({ status: 200 })
    expect(await patched(agent, enquiry.id, { status: 'OPEN' })).toMatchObject({ body: { status: 'OPEN' } })
    expect(await patched(agent, enquiry.id, {})).toMatchObject({ status: 200, body: { status: 'OPEN' } })
    expect(await patched(customer, enquiry.id, { status: 'CLOSED' })).toMatchObject({
      status: 403,
      body: { code: 'forbidden' },
    })
    expect((await patched(await aCustomer(), enquiry.id, { status: 'CLOSED' })).status).toBe(404)
    expect(await eventsAbout(enquiry.id)).toHaveLength(1)
  })

  it.each([
    ['status', { status: 'NEW' }],
    ['status', { status: null }],
    ['visit.at', { visit: {} }],
    ['visit.at', { visit: { at: 'soon' } }],
    ['visit.note', { visit: { at: '2027-05-01T09:00:00Z', note: 'x'.repeat(1001) } }],
  ])('takes no %s like %j', async (path, body) => {
    const { agent, enquiry } = await aConversation()
    expect(await patched(agent, enquiry.id, body)).toMatchObject({
      status: 400,
      body: { errors: [{ path }] },
    })
  })
})

describe('a side that is banned', () => {
  let given: Awaited<ReturnType<typeof aConversation>>

  beforeAll(async () => {
    given = await aConversation()
    await sent(given.agent, given.enquiry.id, 'Yes')
  })

  it('is null to the other one, who can still read and no longer write', async () => {
    const { agent, customer, enquiry } = given
    await withAccount(customer.id, { status: 'BANNED' })
    expect(await read(agent, enquiry.id)).toMatchObject({
      customer: null,
      agent: { userId: agent.id },
      messages: { items: [{ text: 'Yes' }, { text: 'Is it still free in June?' }] },
    })
    expect(await send(agent, enquiry.id, 'Hello?')).toMatchObject({
      status: 409,
      body: { code: 'other_side_gone' },
    })
    expect((await patched(agent, enquiry.id, { visit: { at: '2027-05-01T09:00:00Z' } })).status).toBe(409)
    expect((await patched(agent, enquiry.id, { status: 'CLOSED' })).status).toBe(200)
    await withAccount(customer.id, { status: 'ACTIVE' })
    expect((await send(agent, enquiry.id, 'Welcome back')).status).toBe(201)
  })

  it('is null as the agent, too', async () => {
    const { agent, customer, enquiry, listing } = given
    await withAccount(agent.id, { status: 'BANNED' })
    expect(await read(customer, enquiry.id)).toMatchObject({ agent: null, listing: { cover: null } })
    expect((await send(customer, enquiry.id, 'Hello?')).status).toBe(409)
    expect((await ask(customer, listing)).status).toBe(404)
  })
})
