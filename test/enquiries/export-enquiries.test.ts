import { describe, expect, it } from 'vitest'
import { spec as reportEnquiry } from '#functions/enquiries/report-enquiry'
import { spec as exportAccount } from '#functions/privacy/export-account'
import { call } from '#test/support/call'
import { aConversation, sent } from '#test/support/enquiries'

describe('an export', () => {
  it('holds the enquiries of both sides, each with its own telephone number and report alone', async () => {
    const { agent, customer, enquiry, listing } = await aConversation({
      message: 'Question',
      phone: '+2250700000001',
    })
    await sent(agent, enquiry.id, 'Answer')
    await call(reportEnquiry, {
      params: { id: enquiry.id },
      token: customer.token,
      body: { reason: 'spam', text: 'Every day' },
    })
    const exported = async (token: string) => (await call(exportAccount, { token })).body.enquiries
    const messages = [
      { id: expect.any(String), from: 'agent', text: 'Answer', at: expect.any(String) },
      { id: expect.any(String), from: 'customer', text: 'Question', at: expect.any(String) },
    ]
    expect(await exported(customer.token)).toEqual([
      {
        id: enquiry.id,
        listingId: listing,
        role: 'sent',
        status: 'OPEN',
        phone: '+2250700000001',
        visitAt: [],
        visit: null,
        report: { reason: 'spam', text: 'Every day', at: expect.any(String), closedAt: null, outcome: null },
        messages,
        lastMessageAt: expect.any(String),
        createdAt: expect.any(String),
      },
    ])
    expect(await exported(agent.token)).toMatchObject([
      { id: enquiry.id, role: 'received', phone: null, report: null, messages },
    ])
  })
})
