import { describe, expect, it } from 'vitest'
import { spec as followAccounts } from '#functions/jobs/follow-accounts'
import { spec as paymentRequests } from '#functions/jobs/payment-requests'
import { spec as getPaymentRequest } from '#functions/payment-requests/get-payment-request'
import { spec as deleteAccount } from '#functions/privacy/delete-account'
import { spec as exportAccount } from '#functions/privacy/export-account'
import type { Timestamp } from '#lib/kernel/clock'
import { ListingId, PaymentId, UserId } from '#lib/kernel/id'
import { holds } from '#lib/payment-requests/holds/hold-store.dynamo'
import { requests as requestStore } from '#lib/payment-requests/request-store.dynamo'
import { monthsAfter } from '#lib/payment-requests/series'
import { paymentKey } from '#lib/payments/payment.keys'
import { deletionKey } from '#lib/privacy/privacy.keys'
import { ban } from '#test/support/bans'
import { call } from '#test/support/call'
import { aConversation, withAccount } from '#test/support/enquiries'
import { type GivenUser, PASSWORD } from '#test/support/given'
import { runJob } from '#test/support/jobs'
import { overtaken } from '#test/support/overtaken'
import { aPaymentRequest, begun, requestPayment } from '#test/support/payment-requests'
import { paymentOf } from '#test/support/payments'
import { streamTo } from '#test/support/stream'
import { testTable } from '#test/support/test-table'

const statusOf = async (by: GivenUser, id: string) =>
  (await call(getPaymentRequest, { params: { id }, token: by.token })).body

const end = async ({ id, token }: GivenUser) => {
  expect((await call(deleteAccount, { token, body: { password: PASSWORD } })).status).toBe(204)
  return streamTo(followAccounts, deletionKey(UserId.parse(id)))
}

describe('an open payment request', () => {
  it('is cancelled when its customer is banned, and does not expire any more', async () => {
    const dueAt = new Date(Date.now() + 120_000)
    const { agent, customer, request } = await aPaymentRequest({ dueAt: dueAt.toISOString() })
    await ban(customer)
    await runJob(paymentRequests, { now: () => new Date(dueAt.getTime() + 1_000) })
    expect(await statusOf(agent, request.id)).toMatchObject({ status: 'CANCELLED' })
  })

  it('is cancelled when its owner is banned, with the payment of it, whose record names the system', async () => {
    const { agent, customer, request } = await aPaymentRequest()
    const payment = await begun(customer, request.id)
    await ban(agent)
    expect(await statusOf(customer, request.id)).toMatchObject({ status: 'CANCELLED' })
    const moves = { partition: paymentKey(PaymentId.parse(payment.id)).pk, beginsWith: 'MOVE#' }
    expect((await testTable().query(moves)).items.at(-1)).toMatchObject({
      to: 'CANCELLED',
      actor: 'system',
      reason: 'payment request CANCELLED',
    })
  })

  it('is cancelled when its owner’s account ends, and keeps no note', async () => {
    const { agent, customer, request } = await aPaymentRequest({ note: 'My own words' })
    await end(agent)
    expect(await statusOf(customer, request.id)).toMatchObject({ status: 'CANCELLED', note: null })
  })

  it('is cancelled with the payment of it that is under way when its owner’s account ends', async () => {
    const { agent, listing, customer, request } = await aPaymentRequest()
    const payment = await begun(customer, request.id)
    await end(agent)
    expect((await paymentOf(customer, payment.id)).status).toBe('CANCELLED')
    expect(await statusOf(customer, request.id)).toMatchObject({ status: 'CANCELLED' })
    expect(await holds.make().get(ListingId.parse(listing))).toMatchObject({ userId: null, payments: {} })
  })

  it('is cancelled when its customer’s account ends, and keeps the owner’s note', async () => {
    const { agent, customer, request } = await aPaymentRequest({ note: 'For the keys' })
    await end(customer)
    expect(await statusOf(agent, request.id)).toMatchObject({
      status: 'CANCELLED',
      note: 'For the keys',
      customer: null,
    })
  })

  it('is in the export of both sides', async () => {
    const { agent, customer, request } = await aPaymentRequest({ note: 'For the keys' })
    for (const { token } of [agent, customer]) {
      expect((await call(exportAccount, { token })).body).toMatchObject({
        paymentRequests: [{ id: request.id, note: 'For the keys', status: 'OPEN' }],
      })
    }
  })
})

describe('a payment request whose side is banned while it is made', () => {
  const overtakenBy = (happens: () => Promise<unknown>) => ({
    requests: overtaken(requestStore.make(), 'commit', happens),
  })
  const sentBy = async ({ id }: GivenUser) =>
    (await requestStore.make().ofUser(UserId.parse(id), 'sent', { limit: 5, after: undefined })).items

  it.each([
    ['agent', 'listing_not_available'],
    ['customer', 'other_side_gone'],
  ] as const)(
    'is refused where that is the %s: the ban has already cancelled what it found',
    async (side, code) => {
      const given = await aConversation()
      const { agent, listing, enquiry } = given
      const deps = overtakenBy(() => ban(given[side]))
      const answer = await requestPayment(agent, listing, enquiry.id, {}, {}, deps)
      expect(answer).toMatchObject({ status: 409, body: { code } })
      expect(await sentBy(agent)).toEqual([])
    },
  )

  it.each(['agent', 'customer'] as const)(
    'is not made as the repetition of a series of a banned %s',
    async (side) => {
      const dueAt = new Date(Date.now() + 10 * 86_400_000).toISOString()
      const given = await aPaymentRequest({ purpose: 'rent', dueAt, repeats: { every: 'month' } })
      const now = () => new Date(monthsAfter(dueAt as Timestamp, 1))
      const deps = overtakenBy(() => withAccount(given[side].id, { status: 'BANNED' }))
      await runJob(paymentRequests, { now, ...deps })
      expect((await sentBy(given.agent)).map(({ id }) => id)).toEqual([given.request.id])
    },
  )
})
