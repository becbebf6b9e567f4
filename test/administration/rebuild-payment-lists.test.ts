import { beforeAll, describe, expect, it } from 'vitest'
import { spec as rebuildPaymentLists } from '#functions/jobs/rebuild-payment-lists'
import { spec as listAllPayments } from '#functions/payments/list-all-payments'
import { spec as listListingPayments } from '#functions/payments/list-listing-payments'
import { PaymentId } from '#lib/kernel/id'
import { paymentKey, paymentListKey } from '#lib/payments/payment.keys'
import type { PaymentView } from '#lib/payments/payment-view'
import { call } from '#test/support/call'
import { deliver, fromGateway } from '#test/support/callbacks'
import { testTable } from '#test/support/corpus'
import { aCustomer, aListedHouse } from '#test/support/enquiries'
import { consoleToken, type GivenUser } from '#test/support/given'
import { runJob } from '#test/support/jobs'
import { aPayment, paid, paymentOf } from '#test/support/payments'

let agent: GivenUser
let listing: string
let customer: GivenUser
beforeAll(async () => {
  ;({ agent, listing } = await aListedHouse())
  customer = await aCustomer()
})

const rebuilt = () => runJob(rebuildPaymentLists)

/** A paid payment on the listing as the first edition stored it: in no list of the listing, its agent or what needs someone. */
async function anOldPayment(): Promise<PaymentView> {
  const payment = await aPayment(customer, { amount: 1_000, currency: 'XOF', listingId: listing })
  await paid(payment)
  const { id, amount, currency } = payment
  await deliver(fromGateway('payment.succeeded', { id: `txn_second_${id}`, reference: id, amount, currency }))
  const own = PaymentId.parse(id)
  await testTable().commit([
    { update: paymentKey(own), set: { attention: [] }, remove: ['listing'], when: 'present' },
    ...[listing, agent.id, 'ATTENTION'].map((list) => ({ remove: paymentListKey(list, own) })),
  ])
  return payment
}

const idsIn = async (query: Record<string, string>): Promise<string[]> => {
  const { body } = await call(listAllPayments, { token: await consoleToken(), query })
  return (body as { items: { id: string }[] }).items.map(({ id }) => id)
}

const onListing = async (): Promise<string[]> => {
  const { body } = await call(listListingPayments, { token: agent.token, params: { id: listing } })
  return (body as { items: { id: string }[] }).items.map(({ id }) => id)
}

describe('rebuilding the lists of payments', () => {
  it('lists payments of the first edition by listing, by agent, and where they need someone', async () => {
    const old = await anOldPayment()
    expect(await onListing()).toEqual([])
    expect(await idsIn({ attention: 'true' })).toEqual([])
    const { updatedAt } = await paymentOf(customer, old.id)
    expect(await rebuilt()).toEqual({ walked: 1, changed: 1, isDone: true })
    expect(await onListing()).toEqual([old.id])
    expect(await idsIn({ listingId: listing })).toEqual([old.id])
    expect(await idsIn({ attention: 'true' })).toEqual([old.id])
    const entry = paymentListKey(agent.id, PaymentId.parse(old.id))
    expect(await testTable().get(entry)).toMatchObject({ kind: 'payment-entry' })
    expect(await paymentOf(customer, old.id)).toMatchObject({
      updatedAt,
      listing: { title: expect.any(String), agent: { userId: agent.id } },
    })
  })

  it('changes nothing the second time', async () => {
    expect(await rebuilt()).toMatchObject({ changed: 0, isDone: true })
  })
})
