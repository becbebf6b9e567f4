import { describe, expect, it } from 'vitest'
import { spec as reconcilePayments } from '#functions/jobs/reconcile-payments'
import { spec as setAvailability } from '#functions/listings/set-availability'
import { spec as cancelPayment } from '#functions/payments/cancel-payment'
import { spec as getPaymentInFull } from '#functions/payments/get-payment-in-full'
import { accountKey } from '#lib/accounts/account.keys'
import { accountStore } from '#lib/accounts/account-store.dynamo'
import { tokenIssuer } from '#lib/accounts/sessions/token-issuer'
import { timestamp } from '#lib/kernel/clock'
import { ListingId, newId, PaymentId, PaymentRequestId, SessionId, UserId } from '#lib/kernel/id'
import { inParallel } from '#lib/kernel/parallel'
import type { Write } from '#lib/kernel/write'
import { paymentKey } from '#lib/payments/payment.keys'
import { paymentStore } from '#lib/payments/payment-store.dynamo'
import type { PaymentView } from '#lib/payments/payment-view'
import { requestStore } from '#lib/payments/requests/request-store.dynamo'
import { holdStore } from '#lib/payments/reservations/hold-store.dynamo'
import { call } from '#test/support/call'
import { deliver, fromGateway } from '#test/support/callbacks'
import { testTable } from '#test/support/corpus'
import { aCustomer, anEnquiry } from '#test/support/enquiries'
import { consoleToken, type GivenUser } from '#test/support/given'
import { runJob } from '#test/support/jobs'
import { listingOf } from '#test/support/listings'
import { aPaymentRequest, begun, payRequest, requested } from '#test/support/payment-requests'
import { aPayment, paid, paymentOf } from '#test/support/payments'
import { testProviders } from '#test/support/providers'

const holdOn = (listing: string) => holdStore.make().get(ListingId.parse(listing))

const availabilityOf = async (listing: string) => (await listingOf(ListingId.parse(listing)))?.availability

const setTo = async (state: string, owner: GivenUser, id: string) => {
  const answer = await call(setAvailability, { params: { id }, token: owner.token, body: { state } })
  expect(answer.status).toBe(200)
}

const cancel = (by: GivenUser, id: string) =>
  call(cancelPayment, { params: { id }, token: by.token, deps: { providers: testProviders() } })

/** What the gateway says of a payment after its success. */
const said = async (type: string, { id, amount, currency }: PaymentView, status = 'done') => {
  const data = { id: `txn_${id}_${type}`, reference: id, amount, currency, status }
  expect((await deliver(fromGateway(type, data))).status).toBe(200)
}

const attentionOf = async (id: string): Promise<string[]> => {
  const { body } = await call(getPaymentInFull, { params: { id }, token: await consoleToken() })
  return (body as { attention: { code: string }[] }).attention.map(({ code }) => code)
}

/** Lets the time of a payment be over. */
const expire = (id: string) =>
  testTable().commit([
    {
      update: paymentKey(PaymentId.parse(id)),
      set: { expiresAt: '2026-01-01T00:00:00.000Z' },
      when: 'present',
    },
  ])

/** Another account like one, signed in: two hundred passwords would take long to hash. */
async function copied(customer: GivenUser): Promise<GivenUser> {
  const row = await testTable().get(accountKey(UserId.parse(customer.id)))
  const id = newId('user')
  await testTable().commit([{ put: { ...row, ...accountKey(id), id } }])
  const account = await accountStore.make().get(id)
  const [session] = Object.keys(account?.sessions ?? {})
  if (!account || !session) throw new Error(id)
  const since = { id: SessionId.parse(session), rotatedAt: timestamp(new Date()), tokenHash: '' }
  return { ...customer, id, token: await tokenIssuer.make()(account, since) }
}

/** The same request made to another customer: an owner makes fifty a day. */
async function copiedFor(customer: GivenUser, id: string): Promise<string> {
  const requests = requestStore.make()
  const request = await requests.get(PaymentRequestId.parse(id))
  if (!request) throw new Error(id)
  const copy = { ...request, id: newId('paymentRequest'), customerId: UserId.parse(customer.id) }
  await requests.commit(requests.insert(copy))
  return copy.id
}

/** Another customer of the same listing, who was asked for a deposit too. */
async function another(agent: GivenUser, listing: string) {
  const customer = await aCustomer()
  const enquiry = await anEnquiry(customer, listing)
  return { customer, request: await requested(agent, listing, enquiry.id) }
}

describe('a requested deposit', () => {
  it('holds its listing from its creation, and a success puts the listing under offer', async () => {
    const { agent, listing, customer, request } = await aPaymentRequest()
    const other = await another(agent, listing)
    const payment = await begun(customer, request.id)
    expect(await holdOn(listing)).toMatchObject({ paymentId: payment.id, requestId: request.id })
    expect(await availabilityOf(listing)).toBe('AVAILABLE')
    const refused = await payRequest(other.customer, other.request.id)
    expect(refused).toMatchObject({ status: 409, body: { code: 'listing_reserved' } })
    expect(refused.body).not.toHaveProperty('paymentId')
    await paid(payment)
    expect(await availabilityOf(listing)).toBe('UNDER_OFFER')
    expect((await payRequest(other.customer, other.request.id)).status).toBe(409)
  })

  it('names the payment that holds the listing where it is the caller’s own', async () => {
    const { agent, listing, customer, enquiry, request } = await aPaymentRequest()
    const second = await requested(agent, listing, enquiry.id)
    const payment = await begun(customer, request.id)
    expect(await payRequest(customer, second.id)).toMatchObject({
      status: 409,
      body: { code: 'listing_reserved', paymentId: payment.id },
    })
  })

  it('releases the listing when it is cancelled, and the next one takes it', async () => {
    const { agent, listing, customer, request } = await aPaymentRequest()
    const other = await another(agent, listing)
    await cancel(customer, (await begun(customer, request.id)).id)
    expect(await holdOn(listing)).toBeUndefined()
    const payment = await begun(other.customer, other.request.id)
    expect(await holdOn(listing)).toMatchObject({ paymentId: payment.id })
  })

  it('that is refunded makes the listing AVAILABLE again', async () => {
    const { listing, customer, request } = await aPaymentRequest()
    const payment = await begun(customer, request.id)
    await paid(payment)
    await said('payment.refunded', payment)
    expect((await paymentOf(customer, payment.id)).status).toBe('REFUNDED')
    expect(await availabilityOf(listing)).toBe('AVAILABLE')
    expect(await holdOn(listing)).toBeUndefined()
  })

  it('that is refunded leaves the listing as it is once the owner has set it, even to the same', async () => {
    const { agent, listing, customer, request } = await aPaymentRequest()
    const payment = await begun(customer, request.id)
    await paid(payment)
    await setTo('UNDER_OFFER', agent, listing)
    await said('payment.refunded', payment)
    expect(await availabilityOf(listing)).toBe('UNDER_OFFER')
    expect(await holdOn(listing)).toBeUndefined()
  })

  it.each(['TAKEN', 'PAUSED'])('never changes a listing that is %s', async (state) => {
    const { agent, listing, customer, request } = await aPaymentRequest()
    await setTo(state, agent, listing)
    const payment = await begun(customer, request.id)
    await paid(payment)
    expect(await availabilityOf(listing)).toBe(state)
    await said('payment.refunded', payment)
    expect(await availabilityOf(listing)).toBe(state)
  })

  it('is one of two hundred customers who were asked for one at once', { timeout: 40_000 }, async () => {
    const { listing, customer: one, request } = await aPaymentRequest()
    const asked = await inParallel(Array<string>(200).fill(request.id), 8, async (id) => {
      const customer = await copied(one)
      return { customer, id: await copiedFor(customer, id) }
    })
    const answers = await Promise.all(asked.map(({ customer, id }) => payRequest(customer, id)))
    const taken = answers.filter(({ status }) => status === 201)
    expect(taken).toHaveLength(1)
    expect(await holdOn(listing)).toMatchObject({ paymentId: taken[0]?.body['id'] })
    const refused = answers.filter(({ status }) => status !== 201)
    expect(new Set(refused.map(({ body }) => body['code']))).toEqual(new Set(['listing_reserved']))
  })

  it('whose time is over is taken over, though nobody has stored that', async () => {
    const { agent, listing, customer, request } = await aPaymentRequest()
    const other = await another(agent, listing)
    const late = await begun(customer, request.id)
    await expire(late.id)
    const next = await begun(other.customer, other.request.id)
    expect(await holdOn(listing)).toMatchObject({ paymentId: next.id })
    await paid(late)
    expect(await attentionOf(late.id)).toEqual(['listing_held_by_another'])
    expect(await holdOn(listing)).toMatchObject({ paymentId: next.id })
  })

  it('is not taken over where its success comes at that very moment', async () => {
    const { agent, listing, customer, request } = await aPaymentRequest()
    const other = await another(agent, listing)
    const late = await begun(customer, request.id)
    await expire(late.id)
    const payments = paymentStore.make()
    const raced = {
      ...payments,
      commit: async (writes: Write[]) => {
        raced.commit = payments.commit
        await paid(late)
        return payments.commit(writes)
      },
    }
    expect(await payRequest(other.customer, other.request.id, {}, { payments: raced })).toMatchObject({
      status: 409,
      body: { code: 'listing_reserved' },
    })
    expect(await holdOn(listing)).toMatchObject({ paymentId: late.id })
    expect(await availabilityOf(listing)).toBe('UNDER_OFFER')
  })

  it('that succeeds late while another holds the listing takes no hold and needs someone', async () => {
    const { agent, listing, customer, request } = await aPaymentRequest()
    const other = await another(agent, listing)
    const late = await begun(customer, request.id)
    await cancel(customer, late.id)
    const holder = await begun(other.customer, other.request.id)
    await paid(late)
    expect((await paymentOf(customer, late.id)).status).toBe('SUCCEEDED')
    expect(await holdOn(listing)).toMatchObject({ paymentId: holder.id })
    expect(await attentionOf(late.id)).toEqual(['listing_held_by_another'])
    expect(await availabilityOf(listing)).toBe('AVAILABLE')
  })

  it('that waited for another to release the listing holds it from the next reconciliation', async () => {
    const { agent, listing, customer, request } = await aPaymentRequest()
    const other = await another(agent, listing)
    const late = await begun(customer, request.id)
    await cancel(customer, late.id)
    const holder = await begun(other.customer, other.request.id)
    await Promise.all([paid(late), paid(holder)])
    await said('payment.refunded', holder)
    expect(await holdOn(listing)).toBeUndefined()
    expect(await availabilityOf(listing)).toBe('AVAILABLE')
    await runJob(reconcilePayments, { providers: testProviders() })
    expect(await attentionOf(late.id)).toEqual([])
    expect(await holdOn(listing)).toMatchObject({ paymentId: late.id })
    expect(await availabilityOf(listing)).toBe('UNDER_OFFER')
  })

  it('that succeeds late takes the listing where nobody holds it', async () => {
    const { listing, customer, request } = await aPaymentRequest()
    const late = await begun(customer, request.id)
    await cancel(customer, late.id)
    await paid(late)
    expect(await holdOn(listing)).toMatchObject({ paymentId: late.id })
    expect(await availabilityOf(listing)).toBe('UNDER_OFFER')
  })

  it('is told from one that nobody asked for, which holds nothing', async () => {
    const { listing, customer } = await aPaymentRequest()
    const payment = await aPayment(customer, {
      amount: 150_000,
      currency: 'XOF',
      purpose: 'deposit',
      listingId: listing,
    })
    await paid(payment)
    expect(await holdOn(listing)).toBeUndefined()
    expect(await availabilityOf(listing)).toBe('AVAILABLE')
  })
})
