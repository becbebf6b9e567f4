import { describe, expect, it } from 'vitest'
import { spec as reconcilePayments } from '#functions/jobs/reconcile-payments'
import { spec as cancelPayment } from '#functions/payments/cancel-payment'
import { spec as cancelPaymentRequest } from '#functions/payments/cancel-payment-request'
import { spec as getPaymentInFull } from '#functions/payments/get-payment-in-full'
import { enquiryKey } from '#lib/enquiries/enquiry.keys'
import type { PaymentView } from '#lib/payments/payment-view'
import { call } from '#test/support/call'
import { deliver, fromGateway } from '#test/support/callbacks'
import { testTable } from '#test/support/corpus'
import { aCustomer, withAccount } from '#test/support/enquiries'
import { eventsAbout } from '#test/support/events'
import { consoleToken, type GivenUser } from '#test/support/given'
import { runJob } from '#test/support/jobs'
import { aPaymentRequest, begun, payRequest, requestOf } from '#test/support/payment-requests'
import { paid, paymentOf } from '#test/support/payments'
import { testProviders } from '#test/support/providers'

const cancel = (by: GivenUser, id: string) =>
  call(cancelPayment, { params: { id }, token: by.token, deps: { providers: testProviders() } })

const attentionOf = async (id: string): Promise<string[]> => {
  const { body } = await call(getPaymentInFull, { params: { id }, token: await consoleToken() })
  return (body as { attention: { code: string }[] }).attention.map(({ code }) => code)
}

describe('a payment of a request', () => {
  it('is of the request’s sum and purpose, and its success makes the request PAID', async () => {
    const { agent, listing, customer, enquiry, request } = await aPaymentRequest({ purpose: 'rent' })
    const payment = await begun(customer, request.id)
    expect(payment).toMatchObject({
      amount: 150_000,
      currency: 'XOF',
      purpose: 'rent',
      listingId: listing,
      paymentRequestId: request.id,
    })
    expect(await requestOf(agent, request.id)).toMatchObject({ status: 'OPEN', paymentId: null })
    await paid(payment)
    expect(await requestOf(agent, request.id)).toMatchObject({ status: 'PAID', paymentId: payment.id })
    expect(await testTable().get(enquiryKey(enquiry.id))).toMatchObject({ requests: { open: 0, paid: 1 } })
    const events = await eventsAbout(request.id)
    expect(events.map(({ type }) => type)).toEqual(['payment_request.created', 'payment_request.paid'])
    expect(events[1]?.data).toMatchObject({
      paymentId: payment.id,
      customerId: customer.id,
      agentId: agent.id,
    })
  })

  it.each(['amount', 'currency', 'purpose', 'listingId'])('takes no %s beside the request', async (path) => {
    const { customer, listing, request } = await aPaymentRequest()
    const values = { amount: 150_000, currency: 'XOF', purpose: 'deposit', listingId: listing }
    const more = { [path]: values[path as keyof typeof values] }
    expect(await payRequest(customer, request.id, more)).toMatchObject({
      status: 400,
      body: { code: 'validation_failed', errors: [{ path }] },
    })
  })

  it('is its customer’s alone', async () => {
    const { agent, request } = await aPaymentRequest()
    for (const stranger of [agent, await aCustomer()]) {
      expect(await payRequest(stranger, request.id)).toMatchObject({
        status: 404,
        body: { code: 'not_found' },
      })
    }
    for (const id of ['prq_01KAH3M6XQ8ZJ4T2V7W9C5RBND', 'request']) {
      expect((await payRequest(await aCustomer(), id)).status).toBe(404)
    }
  })

  it('is one at a time: meanwhile the request is neither paid otherwise nor cancelled', async () => {
    const { agent, customer, request } = await aPaymentRequest()
    const payment = await begun(customer, request.id)
    const refusal = {
      status: 409,
      body: { code: 'payment_request_in_progress', paymentId: payment.id },
    }
    expect(await payRequest(customer, request.id)).toMatchObject(refusal)
    expect(
      await call(cancelPaymentRequest, { params: { id: request.id }, token: agent.token }),
    ).toMatchObject(refusal)
    await cancel(customer, payment.id)
    const next = await begun(customer, request.id)
    await paid(next)
    expect(await requestOf(customer, request.id)).toMatchObject({ status: 'PAID', paymentId: next.id })
    expect(await payRequest(customer, request.id)).toMatchObject({
      status: 409,
      body: { code: 'payment_request_not_open', requestStatus: 'PAID' },
    })
  })

  it('is one of many that were started at once', async () => {
    const { customer, request } = await aPaymentRequest()
    const answers = await Promise.all(Array.from({ length: 6 }, () => payRequest(customer, request.id)))
    const codes = answers.map(({ status, body }) => (status === 201 ? '' : (body as { code: string }).code))
    expect(codes.sort()).toEqual(['', ...Array(5).fill('payment_request_in_progress')])
  })

  it('can be started again once the time of the one before is over, though nobody has stored that', async () => {
    const { customer, request } = await aPaymentRequest({ purpose: 'rent' })
    const first = await begun(customer, request.id)
    await testTable().commit([
      {
        update: { pk: `PAYMENT#${first.id}`, sk: 'PAYMENT' },
        set: { expiresAt: '2026-01-01T00:00:00.000Z' },
        when: 'present',
      },
    ])
    expect((await payRequest(customer, request.id)).status).toBe(201)
  })

  it('that succeeds late, beside another, stays a payment of its own and needs someone until it is refunded', async () => {
    const { customer, request } = await aPaymentRequest({ purpose: 'rent' })
    const late = await begun(customer, request.id)
    await cancel(customer, late.id)
    const second = await begun(customer, request.id)
    await paid(second)
    await paid(late)
    expect((await paymentOf(customer, late.id)).status).toBe('SUCCEEDED')
    expect(await requestOf(customer, request.id)).toMatchObject({ status: 'PAID', paymentId: second.id })
    expect(await attentionOf(late.id)).toEqual(['request_paid_twice'])
    expect(await attentionOf(second.id)).toEqual([])
    const { amount, currency } = late
    const data = { id: `txn_${late.id}_back`, reference: late.id, amount, currency }
    expect((await deliver(fromGateway('payment.refunded', data))).status).toBe(200)
    expect((await paymentOf(customer, late.id)).status).toBe('REFUNDED')
    expect(await attentionOf(late.id)).toEqual([])
  })

  it('needs nobody any more once the first is given back instead', async () => {
    const { customer, request } = await aPaymentRequest()
    const late = await begun(customer, request.id)
    await cancel(customer, late.id)
    const first = await begun(customer, request.id)
    await paid(first)
    await paid(late)
    expect((await attentionOf(late.id)).toSorted()).toEqual(['listing_held_by_another', 'request_paid_twice'])
    const { id, amount, currency } = first
    const data = { id: `txn_${id}_back`, reference: id, amount, currency }
    expect((await deliver(fromGateway('payment.refunded', data))).status).toBe(200)
    await runJob(reconcilePayments, { providers: testProviders() })
    expect(await attentionOf(late.id)).toEqual([])
    expect(await requestOf(customer, request.id)).toMatchObject({ status: 'PAID', paymentId: first.id })
  })

  it('makes even a CANCELLED request PAID when its success comes late', async () => {
    const { agent, customer, request } = await aPaymentRequest({ purpose: 'rent' })
    const late = await begun(customer, request.id)
    await cancel(customer, late.id)
    await call(cancelPaymentRequest, { params: { id: request.id }, token: agent.token })
    expect((await requestOf(agent, request.id)).status).toBe('CANCELLED')
    await paid(late)
    expect(await requestOf(agent, request.id)).toMatchObject({ status: 'PAID', paymentId: late.id })
  })

  it('needs a published listing of an owner in good standing', async () => {
    const { agent, customer, request } = await aPaymentRequest()
    await withAccount(agent.id, { 'kyc.status': 'REJECTED' })
    expect(await payRequest(customer, request.id)).toMatchObject({
      status: 409,
      body: { code: 'listing_not_available' },
    })
  })

  it('says so where neither a sum nor a request is given', async () => {
    const customer = await aCustomer()
    const answer = await payRequest(customer, '', { paymentRequestId: undefined })
    expect(answer).toMatchObject({
      status: 400,
      body: { errors: [{ path: 'amount' }, { path: 'currency' }, { path: 'purpose' }] },
    })
    expect((answer.body as unknown as PaymentView).id).toBeUndefined()
  })
})
