import { beforeAll, describe, expect, it } from 'vitest'
import { spec as getUser } from '#functions/accounts/users/get-user'
import { spec as updateUser } from '#functions/accounts/users/update-user'
import { spec as setKycStatus } from '#functions/kyc/set-kyc-status'
import { spec as createListing } from '#functions/listings/create-listing'
import { spec as reportListing } from '#functions/reports/report-listing'
import { call } from '#test/support/call'
import { aConversation } from '#test/support/enquiries'
import { anAgent, aUser, consoleToken } from '#test/support/given'
import { aPayment } from '#test/support/payments'

const NONE = { DRAFT: 0, PENDING_REVIEW: 0, PUBLISHED: 0, REJECTED: 0, SUSPENDED: 0, ARCHIVED: 0 }

let admin: string
beforeAll(async () => {
  admin = await consoleToken({ sub: 'ama' })
})

const get = (id: string, token = admin) => call(getUser, { token, params: { id } })
const countsOf = async (id: string) => (await get(id)).body.counts
const decide = (userId: string, kycStatus: string, more: object = {}) =>
  call(setKycStatus, { token: admin, body: { userId, kycStatus, ...more } })

describe('GET /admin/users/{id}', () => {
  it('shows a user who has done nothing yet, with every count at 0', async () => {
    const { id, email } = await aUser()
    expect(await get(id)).toMatchObject({
      status: 200,
      body: {
        id,
        email,
        status: 'ACTIVE',
        banReason: null,
        kycStatus: 'UNVERIFIED',
        agent: null,
        counts: { listings: NONE, payments: 0, reports: 0, enquiries: 0 },
        decisions: [],
      },
    })
  })

  it('shows the agent profile, the ban and its reason', async () => {
    const { id } = await anAgent({ displayName: 'Lagoon Homes' })
    await call(updateUser, {
      token: admin,
      params: { id },
      body: { status: 'BANNED', reason: 'Sold a bridge' },
    })
    expect((await get(id)).body).toMatchObject({
      roles: ['user', 'agent'],
      status: 'BANNED',
      banReason: 'Sold a bridge',
      agent: { userId: id, displayName: 'Lagoon Homes', kycStatus: 'UNVERIFIED' },
    })
  })

  it('counts the listings of an agent in each status', async () => {
    const { id, token } = await anAgent()
    for (const title of ['House by the lagoon', 'Flat in town']) {
      const { status } = await call(createListing, {
        token,
        body: { offer: 'rent', category: 'house', title },
      })
      expect(status).toBe(201)
    }
    expect(await countsOf(id)).toMatchObject({ listings: { ...NONE, DRAFT: 2 } })
  })

  it('counts enquiries and reports on both sides, and the payments of the payer', async () => {
    const { agent, listing, customer } = await aConversation()
    await call(reportListing, {
      params: { id: listing },
      token: customer.token,
      body: { reason: 'misleading' },
    })
    await call(reportListing, { params: { id: listing }, body: { reason: 'misleading' } })
    await aPayment(customer)
    expect(await countsOf(customer.id)).toMatchObject({ payments: 1, reports: 1, enquiries: 1 })
    expect(await countsOf(agent.id)).toMatchObject({ payments: 0, reports: 2, enquiries: 1 })
  })

  it('shows the last 20 decisions, newest first, each with who, when and why', async () => {
    const { id } = await aUser()
    for (let round = 0; round < 11; round += 1) {
      await decide(id, 'VERIFIED', { note: `round ${round}` })
      await decide(id, 'REJECTED', { reasons: ['name_mismatch'] })
    }
    const { decisions } = (await get(id)).body
    expect(decisions).toHaveLength(20)
    expect(decisions.slice(0, 2)).toMatchObject([
      { kycStatus: 'REJECTED', previousStatus: 'VERIFIED', reasons: ['name_mismatch'], decidedBy: 'ama' },
      { kycStatus: 'VERIFIED', previousStatus: 'REJECTED', note: 'round 10', decidedBy: 'ama' },
    ])
  })

  it('is 404 for an id that nobody has or that has another shape, and only for administrators', async () => {
    const { id, token } = await aUser()
    for (const unknown of ['usr_01KAH3M6XQ8ZJ4T2V7W9C5RBND', 'awa']) {
      expect(await get(unknown)).toMatchObject({ status: 404, body: { code: 'not_found' } })
    }
    expect(await get(id, token)).toMatchObject({ status: 403, body: { code: 'forbidden' } })
    expect(await call(getUser, { params: { id } })).toMatchObject({ status: 401 })
  })
})
