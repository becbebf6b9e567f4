import { describe, expect, it } from 'vitest'
import { spec as createEnquiry } from '#functions/enquiries/create-enquiry'
import { spec as getEnquiry } from '#functions/enquiries/get-enquiry'
import { spec as reportEnquiry } from '#functions/enquiries/report-enquiry'
import { spec as sendMessage } from '#functions/enquiries/send-message'
import { spec as updateEnquiry } from '#functions/enquiries/update-enquiry'
import { messagesQuery } from '#lib/enquiries/enquiry.keys'
import { openEnquiries } from '#lib/enquiries/enquiry-store.dynamo'
import { eraseEnquiries } from '#lib/enquiries/erase-enquiries'
import { removeEnquiry } from '#lib/enquiries/remove-enquiry'
import { type EnquiryId, UserId } from '#lib/kernel/id'
import { call } from '#test/support/call'
import { aConversation, sent } from '#test/support/enquiries'
import { overtaken } from '#test/support/overtaken'
import { requested } from '#test/support/payment-requests'
import { testTable } from '#test/support/test-table'

const enquiries = openEnquiries(testTable())
const deps = { enquiries }

const stored = async (id: EnquiryId): Promise<string> => {
  const { items } = await testTable().query({ ...messagesQuery(id), beginsWith: '' })
  return JSON.stringify(items)
}

describe('erasing a person', () => {
  const WORDS = ['my words', 'my report', '+2250700000003', 'my visit']

  it('leaves nothing that they wrote as a customer, and all that the agent wrote', async () => {
    const { agent, customer, enquiry } = await aConversation({
      message: 'my words',
      phone: '+2250700000003',
      visitAt: [new Date(Date.now() + 1e9).toISOString()],
    })
    await sent(agent, enquiry.id, 'her words')
    await call(reportEnquiry, {
      params: { id: enquiry.id },
      token: customer.token,
      body: { reason: 'spam', text: 'my report' },
    })
    for (let times = 0; times < 2; times += 1) await eraseEnquiries(deps, UserId.parse(customer.id))
    const text = await stored(enquiry.id)
    expect(WORDS.filter((word) => text.includes(word))).toEqual([])
    expect(text).toContain('her words')
    const { body } = await call(getEnquiry, { params: { id: enquiry.id }, token: agent.token })
    expect(body).toMatchObject({
      visitAt: [],
      messages: {
        items: [
          { from: 'agent', text: 'her words' },
          { from: 'customer', text: null },
        ],
      },
    })
  })

  it('leaves nothing that they wrote as an agent', async () => {
    const { agent, enquiry } = await aConversation({ message: 'the question' })
    await sent(agent, enquiry.id, 'my words')
    await call(updateEnquiry, {
      params: { id: enquiry.id },
      token: agent.token,
      body: { visit: { at: '2027-05-01T09:00:00Z', note: 'my visit' } },
    })
    await eraseEnquiries(deps, UserId.parse(agent.id))
    const text = await stored(enquiry.id)
    expect(WORDS.filter((word) => text.includes(word))).toEqual([])
    expect(text).toContain('the question')
  })

  it('refuses, with 401, what the person sends at that moment, and stores none of it', async () => {
    const { agent, customer, listing, enquiry } = await aConversation()
    /** The stores of a request before whose first reading the caller is erased. */
    const erasing = (caller: { id: string }) => {
      const erase = () => eraseEnquiries(deps, UserId.parse(caller.id))
      return {
        enquiries: {
          ...enquiries,
          get: (id: EnquiryId) => erase().then(() => enquiries.get(id)),
          findExisting: (id: EnquiryId) => erase().then(() => enquiries.findExisting(id)),
        },
      }
    }
    const params = { id: enquiry.id }
    const visit = { at: '2027-05-01T09:00:00Z', note: 'my visit' }
    const answers = [
      await call(createEnquiry, {
        params: { id: listing },
        token: customer.token,
        body: { message: 'my words', phone: '+2250700000003' },
        deps: erasing(customer),
      }),
      await call(sendMessage, {
        params,
        token: customer.token,
        body: { text: 'my words' },
        deps: erasing(customer),
      }),
      await call(reportEnquiry, {
        params,
        token: customer.token,
        body: { reason: 'spam', text: 'my report' },
        deps: erasing(customer),
      }),
      await call(updateEnquiry, { params, token: agent.token, body: { visit }, deps: erasing(agent) }),
    ]
    expect(answers.map(({ status }) => status)).toEqual([401, 401, 401, 401])
    const text = await stored(enquiry.id)
    expect(WORDS.filter((word) => text.includes(word))).toEqual([])
  })
})

describe('the removal of an enquiry', () => {
  const remove = async (id: EnquiryId, happens: () => Promise<unknown>) => {
    const found = await enquiries.get(id)
    if (!found) throw new Error('no enquiry')
    await removeEnquiry({ enquiries: overtaken(enquiries, 'commit', happens) }, found)
  }

  it('leaves nothing of one with more messages than a transaction removes', async () => {
    const { customer, enquiry } = await aConversation({ message: 'my words' })
    for (let count = 0; count < 60; count += 1) await sent(customer, enquiry.id, `my words ${count}`)
    await remove(enquiry.id, async () => undefined)
    expect(await stored(enquiry.id)).toBe('[]')
  })

  it('leaves all of it to a payment request that is made meanwhile', async () => {
    const { agent, listing, customer, enquiry } = await aConversation({ message: 'my words' })
    await remove(enquiry.id, () => requested(agent, listing, enquiry.id))
    const { body } = await call(getEnquiry, { params: { id: enquiry.id }, token: customer.token })
    expect(body.messages.items).toMatchObject([{ text: 'my words' }])
  })
})
