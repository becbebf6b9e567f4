import { describe, expect, it } from 'vitest'
import { spec as setAvailability } from '#functions/listings/set-availability'
import { spec as cancelPayment } from '#functions/payments/cancel-payment'
import { spec as getPaymentInFull } from '#functions/payments/get-payment-in-full'
import { accountKey } from '#lib/accounts/account.keys'
import { accounts } from '#lib/accounts/account-store.dynamo'
import { tokenIssuer } from '#lib/accounts/sessions/token-issuer'
import { TABLE_WRITES } from '#lib/dynamo/table'
import { secondsAfter, timestamp } from '#lib/kernel/clock'
import { ListingId, newId, PaymentRequestId, SessionId, UserId } from '#lib/kernel/id'
import { inParallel } from '#lib/kernel/parallel'
import { holdKey } from '#lib/payment-requests/holds/hold.keys'
import { holds } from '#lib/payment-requests/holds/hold-store.dynamo'
import { requests as requestStore } from '#lib/payment-requests/request-store.dynamo'
import { payments as paymentStore } from '#lib/payments/payment-store.dynamo'
import type { PaymentView } from '#lib/payments/payment-view'
import { call, problemOf } from '#test/support/call'
import { deliver, fromGateway } from '#test/support/callbacks'
import { aCustomer, anEnquiry } from '#test/support/enquiries'
import { consoleToken, type GivenUser } from '#test/support/given'
import { listingOf } from '#test/support/listings'
import { overtaken } from '#test/support/overtaken'
import { aPaymentRequest, begun, payRequest, requested } from '#test/support/payment-requests'
import { aPayment, paid, paymentOf } from '#test/support/payments'
import { testProviders } from '#test/support/providers'
import { testTable } from '#test/support/test-table'

const holdOn = (listing: string) => holds.make().get(ListingId.parse(listing))

const availabilityOf = async (listing: string) => (await listingOf(ListingId.parse(listing)))?.availability

const setTo = async (state: string, owner: GivenUser, id: string) => {
  const answer = await call(setAvailability, { params: { id }, token: owner.token, body: { state } })
  expect(answer.status).toBe(200)
}

const cancel = (by: GivenUser, id: string) =>
  call(cancelPayment, { params: { id }, token: by.token, deps: { providers: testProviders() } })

/** What the gateway says of a payment after its success. */
const said = async (type: string, { id, amount, currency }: PaymentView, status?: string) => {
  const data = { dispute_id: `dsp_${id}`, reference: id, amount, currency, ...(status && { status }) }
  expect((await deliver(fromGateway(type, data))).status).toBe(200)
}

const attentionOf = async (id: string): Promise<string[]> => {
  const { body } = await call(getPaymentInFull, { params: { id }, token: await consoleToken() })
  return body.attention.map(({ code }) => code)
}

/** Another account like one, signed in: two hundred passwords would take long to hash. */
async function copied(customer: GivenUser): Promise<GivenUser> {
  const row = await testTable().get(accountKey(UserId.parse(customer.id)))
  const id = newId('user')
  await testTable().commit([TABLE_WRITES.put({ ...row, ...accountKey(id), id })])
  const account = await accounts.make().get(id)
  const [session] = Object.keys(account?.sessions ?? {})
  if (!account || !session) throw new Error(id)
  const signedIn = { authTimeSeconds: Math.floor(Date.now() / 1000), amr: ['pwd'], steppedUpAt: null }
  const since = { id: SessionId.parse(session), rotatedAt: timestamp(new Date()), tokenHash: '', ...signedIn }
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

/** The payments that hold a listing. */
const holding = async (listing: string): Promise<string[]> => Object.keys((await holdOn(listing)).payments)

/** Lets the 30 minutes pass for which a PENDING payment holds its listing. */
const lapse = (listing: string, paymentId: string) =>
  testTable().commit([
    TABLE_WRITES.update(holdKey(ListingId.parse(listing)), {
      set: { [`payments.${paymentId}`]: { kind: 'pending', until: timestamp(new Date(Date.now() - 1)) } },
      when: 'present',
    }),
  ])

describe('a requested payment', () => {
  it.each(['deposit', 'purchase'])(
    'a payment that is a %s holds its listing from its creation',
    async (purpose) => {
      const { agent, listing, customer, request } = await aPaymentRequest({ purpose })
      const other = await another(agent, listing)
      const payment = await begun(customer, request.id)
      expect(await holding(listing)).toEqual([payment.id])
      expect(await availabilityOf(listing)).toBe('AVAILABLE')
      const refused = await payRequest(other.customer, other.request.id)
      expect(refused).toMatchObject({ status: 409, body: { code: 'listing_reserved' } })
      await paid(payment)
      expect(await availabilityOf(listing)).toBe('UNDER_OFFER')
      expect((await payRequest(other.customer, other.request.id)).status).toBe(409)
    },
  )

  it('a deposit that no request asked for holds no listing', async () => {
    const { listing, customer } = await aPaymentRequest()
    const payment = await aPayment(customer, {
      amount: 450_000,
      currency: 'XOF',
      purpose: 'deposit',
      listingId: listing,
    })
    expect(await holding(listing)).toEqual([])
    await paid(payment)
    expect(await availabilityOf(listing)).toBe('AVAILABLE')
  })

  it('a payment of rent holds no listing', async () => {
    const { listing, customer, request } = await aPaymentRequest({ purpose: 'rent' })
    await paid(await begun(customer, request.id))
    expect(await holding(listing)).toEqual([])
    expect(await availabilityOf(listing)).toBe('AVAILABLE')
  })

  it('a further payment joins the hold of its payer, which ends with the last payment in it', async () => {
    const { agent, listing, customer, enquiry, request } = await aPaymentRequest()
    const second = await requested(agent, listing, enquiry.id, { purpose: 'purchase' })
    const [deposit, purchase] = [await begun(customer, request.id), await begun(customer, second.id)]
    expect((await holding(listing)).toSorted()).toEqual([deposit.id, purchase.id].toSorted())
    await paid(deposit)
    await paid(purchase)
    await said('payment.refunded', deposit)
    expect(await holding(listing)).toEqual([purchase.id])
    expect(await availabilityOf(listing)).toBe('UNDER_OFFER')
    await said('payment.refunded', purchase)
    expect(await holding(listing)).toEqual([])
    expect(await availabilityOf(listing)).toBe('AVAILABLE')
  })

  it('a refund releases the listing where the other payment of the hold is PENDING past its 30 minutes', async () => {
    const { agent, listing, customer, enquiry, request } = await aPaymentRequest()
    const second = await requested(agent, listing, enquiry.id, { purpose: 'purchase' })
    const [deposit, purchase] = [await begun(customer, request.id), await begun(customer, second.id)]
    await paid(deposit)
    await lapse(listing, purchase.id)
    await said('payment.refunded', deposit)
    expect(await holding(listing)).toEqual([])
    expect(await availabilityOf(listing)).toBe('AVAILABLE')
    await paid(purchase)
    expect(await holding(listing)).toEqual([purchase.id])
    expect(await availabilityOf(listing)).toBe('UNDER_OFFER')
  })

  it('a payment that is cancelled releases the listing, and the next one takes it', async () => {
    const { agent, listing, customer, request } = await aPaymentRequest()
    const other = await another(agent, listing)
    await cancel(customer, (await begun(customer, request.id)).id)
    expect(await holding(listing)).toEqual([])
    const payment = await begun(other.customer, other.request.id)
    expect(await holding(listing)).toEqual([payment.id])
  })

  it('a payment that is refunded makes the listing AVAILABLE again', async () => {
    const { listing, customer, request } = await aPaymentRequest()
    const payment = await begun(customer, request.id)
    await paid(payment)
    await said('payment.refunded', payment)
    expect((await paymentOf(customer, payment.id)).status).toBe('REFUNDED')
    expect(await availabilityOf(listing)).toBe('AVAILABLE')
    expect(await holding(listing)).toEqual([])
  })

  it('a payment that is refunded in part keeps its hold', async () => {
    const { listing, customer, request } = await aPaymentRequest()
    const payment = await begun(customer, request.id)
    await paid(payment)
    await said('payment.refunded', { ...payment, amount: 1_000 })
    expect((await paymentOf(customer, payment.id)).status).toBe('PARTIALLY_REFUNDED')
    expect(await holding(listing)).toEqual([payment.id])
  })

  it.each([
    [1_000, 'UNDER_OFFER'],
    [150_000, 'AVAILABLE'],
  ])('that lost a dispute of %i of its 150,000 leaves the listing %s', async (amount, availability) => {
    const { listing, customer, request } = await aPaymentRequest()
    const payment = await begun(customer, request.id)
    await paid(payment)
    await said('payment.disputed', { ...payment, amount }, 'lost')
    expect((await paymentOf(customer, payment.id)).status).toBe('CHARGED_BACK')
    expect(await availabilityOf(listing)).toBe(availability)
    expect(await holding(listing)).toEqual(availability === 'AVAILABLE' ? [] : [payment.id])
  })

  it('a payment that is refunded leaves the listing as it is once the owner has set it, even to the same', async () => {
    const { agent, listing, customer, request } = await aPaymentRequest()
    const payment = await begun(customer, request.id)
    await paid(payment)
    await setTo('UNDER_OFFER', agent, listing)
    expect(await holding(listing)).toEqual([payment.id])
    await said('payment.refunded', payment)
    expect(await availabilityOf(listing)).toBe('UNDER_OFFER')
    expect(await holding(listing)).toEqual([])
  })

  it.each(['TAKEN', 'PAUSED'])('a success never changes a listing that is %s', async (state) => {
    const { agent, listing, customer, request } = await aPaymentRequest()
    await setTo(state, agent, listing)
    const payment = await begun(customer, request.id)
    await paid(payment)
    expect(await availabilityOf(listing)).toBe(state)
    await said('payment.refunded', payment)
    expect(await availabilityOf(listing)).toBe(state)
  })

  it('one of two hundred customers who pay at once holds the listing', { timeout: 40_000 }, async () => {
    const { listing, customer: one, request } = await aPaymentRequest()
    const asked = await inParallel(
      Array<string>(200).fill(request.id),
      async (id) => {
        const customer = await copied(one)
        return { customer, id: await copiedFor(customer, id) }
      },
      { width: 8 },
    )
    const answers = await Promise.all(asked.map(({ customer, id }) => payRequest(customer, id)))
    const taken = answers.filter(({ status }) => status === 201)
    expect(taken).toHaveLength(1)
    expect(await holding(listing)).toEqual([taken[0]?.body.id])
    const refused = answers.filter(({ status }) => status !== 201)
    expect(new Set(refused.map((answer) => problemOf(answer).code))).toEqual(new Set(['listing_reserved']))
  })

  it('a payment without a request holds no listing', async () => {
    const { listing, customer } = await aPaymentRequest()
    const payment = await aPayment(customer, {
      amount: 150_000,
      currency: 'XOF',
      purpose: 'deposit',
      listingId: listing,
    })
    await paid(payment)
    expect(await holding(listing)).toEqual([])
    expect(await availabilityOf(listing)).toBe('AVAILABLE')
  })
})

describe('a hold of a payment that is PENDING', () => {
  it('a hold of a PENDING payment lasts 30 minutes, after which any payer takes it', async () => {
    const { agent, listing, customer, request } = await aPaymentRequest()
    const other = await another(agent, listing)
    const late = await begun(customer, request.id)
    const { payments } = await holdOn(listing)
    expect(payments[late.id]).toEqual({
      kind: 'pending',
      until: timestamp(secondsAfter(new Date(late.createdAt), 30 * 60)),
    })
    await lapse(listing, late.id)
    const next = await begun(other.customer, other.request.id)
    expect(await holding(listing)).toEqual([next.id])
    await paid(late)
    expect((await paymentOf(customer, late.id)).status).toBe('SUCCEEDED')
    expect(await attentionOf(late.id)).toEqual(['listing_held_by_another'])
    expect(await holding(listing)).toEqual([next.id])
  })

  it('a lapsed hold that no other payer took is kept by a late success', async () => {
    const { agent, listing, customer, request } = await aPaymentRequest()
    const other = await another(agent, listing)
    const late = await begun(customer, request.id)
    await lapse(listing, late.id)
    await paid(late)
    expect(await payRequest(other.customer, other.request.id)).toMatchObject({
      status: 409,
      body: { code: 'listing_reserved' },
    })
  })

  it('a lapsed hold is not taken over while its success is stored', async () => {
    const { agent, listing, customer, request } = await aPaymentRequest()
    const other = await another(agent, listing)
    const late = await begun(customer, request.id)
    await lapse(listing, late.id)
    const payments = overtaken(paymentStore.make(), 'commit', () => paid(late))
    const answer = await payRequest(other.customer, other.request.id, {}, { payments })
    expect(answer).toMatchObject({ status: 409, body: { code: 'listing_reserved' } })
    expect(await holding(listing)).toEqual([late.id])
    expect(await availabilityOf(listing)).toBe('UNDER_OFFER')
  })
})

describe('a requested payment that succeeds late', () => {
  it('a late success takes a listing that no other payment holds', async () => {
    const { listing, customer, request } = await aPaymentRequest()
    const late = await begun(customer, request.id)
    await cancel(customer, late.id)
    await paid(late)
    expect(await holding(listing)).toEqual([late.id])
    expect(await availabilityOf(listing)).toBe('UNDER_OFFER')
  })

  it('a late success takes no hold of another payer, and needs someone until it is given back', async () => {
    const { agent, listing, customer, request } = await aPaymentRequest()
    const other = await another(agent, listing)
    const late = await begun(customer, request.id)
    await cancel(customer, late.id)
    const holder = await begun(other.customer, other.request.id)
    await paid(late)
    expect((await paymentOf(customer, late.id)).status).toBe('SUCCEEDED')
    expect(await holding(listing)).toEqual([holder.id])
    expect(await availabilityOf(listing)).toBe('AVAILABLE')
    await cancel(other.customer, holder.id)
    expect(await attentionOf(late.id)).toEqual(['listing_held_by_another'])
    await said('payment.refunded', late)
    expect(await attentionOf(late.id)).toEqual([])
  })

  it('a success of a second payer is marked, and the first is not', async () => {
    const { agent, listing, customer, request } = await aPaymentRequest()
    const other = await another(agent, listing)
    const late = await begun(customer, request.id)
    await cancel(customer, late.id)
    const first = await begun(other.customer, other.request.id)
    await paid(first)
    await paid(late)
    const both = ['listing_held_by_another', 'listing_paid_twice']
    expect((await attentionOf(late.id)).toSorted()).toEqual(both)
    expect(await attentionOf(first.id)).toEqual([])
    await said('payment.refunded', first)
    expect((await attentionOf(late.id)).toSorted()).toEqual(both)
    await said('payment.refunded', late)
    expect(await attentionOf(late.id)).toEqual([])
  })

  it('two successes of two payers at once mark one of them', async () => {
    const { agent, listing, customer, request } = await aPaymentRequest()
    const other = await another(agent, listing)
    const one = await begun(customer, request.id)
    await cancel(customer, one.id)
    const two = await begun(other.customer, other.request.id)
    await cancel(other.customer, two.id)
    await Promise.all([paid(one), paid(two)])
    const codes = (await Promise.all([attentionOf(one.id), attentionOf(two.id)])).map((each) =>
      each.toSorted(),
    )
    expect(codes).toContainEqual([])
    expect(codes).toContainEqual(['listing_held_by_another', 'listing_paid_twice'])
    expect(await holding(listing)).toHaveLength(1)
  })

  it('a success on a TAKEN listing needs someone unless its payer had paid on it before', async () => {
    const { agent, listing, customer, enquiry, request } = await aPaymentRequest()
    const purchase = await requested(agent, listing, enquiry.id, { purpose: 'purchase' })
    await paid(await begun(customer, request.id))
    const further = await begun(customer, purchase.id)
    await setTo('TAKEN', agent, listing)
    await paid(further)
    expect(await attentionOf(further.id)).toEqual([])
    const { agent: owner, listing: sold, customer: late, request: asked } = await aPaymentRequest()
    const payment = await begun(late, asked.id)
    await setTo('TAKEN', owner, sold)
    await paid(payment)
    expect(await attentionOf(payment.id)).toEqual(['listing_taken'])
    expect(await availabilityOf(sold)).toBe('TAKEN')
  })

  it('a dispute won after it was lost takes the listing again', async () => {
    const { listing, customer, request } = await aPaymentRequest()
    const payment = await begun(customer, request.id)
    await paid(payment)
    await said('payment.disputed', payment, 'lost')
    expect(await holding(listing)).toEqual([])
    await said('payment.disputed', payment, 'won')
    expect((await paymentOf(customer, payment.id)).status).toBe('SUCCEEDED')
    expect(await holding(listing)).toEqual([payment.id])
    expect(await availabilityOf(listing)).toBe('UNDER_OFFER')
  })
})

describe("an owner's call during a hold", () => {
  it.each([
    ['TAKEN', false],
    ['AVAILABLE', false],
    ['UNDER_OFFER', true],
    ['PAUSED', true],
  ])('a call of %s after a success leaves the listing held: %s', async (state, isHeld) => {
    const { agent, listing, customer, request } = await aPaymentRequest()
    const payment = await begun(customer, request.id)
    await paid(payment)
    await setTo(state, agent, listing)
    expect(await holding(listing)).toEqual(isHeld ? [payment.id] : [])
    await said('payment.refunded', payment)
    expect(await availabilityOf(listing)).toBe(state)
  })

  it('a call of AVAILABLE lets another customer pay, whose success is marked as the second', async () => {
    const { agent, listing, customer, request } = await aPaymentRequest()
    const other = await another(agent, listing)
    await paid(await begun(customer, request.id))
    await setTo('AVAILABLE', agent, listing)
    const second = await begun(other.customer, other.request.id)
    await paid(second)
    expect(await holding(listing)).toEqual([second.id])
    expect(await attentionOf(second.id)).toEqual(['listing_paid_twice'])
  })

  it('a call of AVAILABLE ends no hold while a payment in it is PENDING', async () => {
    const { agent, listing, customer, request } = await aPaymentRequest()
    const other = await another(agent, listing)
    const payment = await begun(customer, request.id)
    await setTo('AVAILABLE', agent, listing)
    expect(await holding(listing)).toEqual([payment.id])
    expect((await payRequest(other.customer, other.request.id)).status).toBe(409)
  })
})
