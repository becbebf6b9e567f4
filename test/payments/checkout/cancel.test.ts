import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { spec as cancelPayment } from '#functions/payments/cancel-payment'
import { spec as createPayment } from '#functions/payments/create-payment'
import { spec as listPayments } from '#functions/payments/list-payments'
import { DomainError } from '#lib/kernel/domain-error'
import type { PaymentView } from '#lib/payments/payment-view'
import type { Providers } from '#lib/providers/registry'
import { call } from '#test/support/call'
import { aUser, type GivenUser } from '#test/support/given'
import { aPayment, paid, paymentOf, played } from '#test/support/payments'
import { testProviders } from '#test/support/providers'

let user: GivenUser
beforeAll(async () => {
  user = await aUser()
})

const cancel = (
  { id }: Pick<PaymentView, 'id'>,
  token = user.token,
  providers: Providers = testProviders(),
) => call(cancelPayment, { token, params: { id }, deps: { providers } })

const start = ({ key, providers }: { key: string; providers: Providers }) =>
  call(createPayment, {
    token: user.token,
    body: { provider: 'played', amount: 500, currency: 'EUR', purpose: 'fee' },
    headers: { 'idempotency-key': key },
    deps: { providers },
  })

describe('POST /payments/{id}/cancel', () => {
  it('gives up a payment that is PENDING, once', async () => {
    const payment = await aPayment(user)
    expect(await cancel(payment)).toMatchObject({
      status: 200,
      body: { id: payment.id, status: 'CANCELLED' },
    })
    expect((await paymentOf(user, payment.id)).events.map(({ type }) => type)).toEqual([
      'payment.created',
      'payment.cancelled',
    ])
    expect(await cancel(payment)).toMatchObject({
      status: 409,
      body: { code: 'payment_transition_not_allowed', from: 'CANCELLED', to: 'CANCELLED', allowed: [] },
    })
  })

  it('does not touch what is paid', async () => {
    const payment = await aPayment(user)
    await paid(payment)
    expect(await cancel(payment)).toMatchObject({ status: 409, body: { from: 'SUCCEEDED' } })
  })

  it('leaves the money its word: what is paid all the same SUCCEEDS', async () => {
    const payment = await aPayment(user)
    await cancel(payment)
    await paid(payment)
    expect((await paymentOf(user, payment.id)).status).toBe('SUCCEEDED')
  })

  it("is for the payer alone: another's payment is not there", async () => {
    const payment = await aPayment(user)
    expect(await cancel(payment, (await aUser()).token)).toMatchObject({ status: 404 })
    expect((await paymentOf(user, payment.id)).status).toBe('PENDING')
  })

  it('withdraws the checkout where the provider can, and cancels though it fails', async () => {
    const withdrawn: string[] = []
    const providers = played({
      close: async ({ id, references }) => {
        withdrawn.push(id, ...references)
        throw new Error('The provider does not answer')
      },
    })
    const payment = await aPayment(user, { provider: 'played' }, providers)
    expect(await cancel(payment, user.token, providers)).toMatchObject({ status: 200 })
    expect(withdrawn).toEqual([payment.id, `at_${payment.id}`])
  })

  it('asks no provider for a payment that was given up before it was carried on', async () => {
    let asked = 0
    const providers = played({
      start: async () => {
        asked += 1
        throw new DomainError('provider_unavailable')
      },
    })
    const again = { key: randomUUID(), providers }
    expect(await start(again)).toMatchObject({ status: 502 })
    const { body } = await call(listPayments, { token: user.token, query: { limit: '1' } })
    const [payment] = body.items
    if (!payment) throw new Error('No payment was stored')
    await cancel(payment)
    const answer = await start(again)
    expect(answer).toMatchObject({
      status: 201,
      body: { id: payment.id, status: 'CANCELLED', checkout: null },
    })
    expect(await start(again)).toMatchObject({
      body: answer.body,
      headers: { 'idempotent-replayed': 'true' },
    })
    expect(asked).toBe(1)
  })

  it('withdraws a checkout that opens only while its payment is given up', async () => {
    const withdrawn: string[] = []
    const providers: Providers = played({
      start: async ({ id }) => {
        await cancel({ id }, user.token, providers)
        return { url: 'https://pay.example/', expiresAt: null, references: [`at_${id}`] }
      },
      close: async ({ references }) => {
        withdrawn.push(references.join())
        return true
      },
    })
    const { body } = await start({ key: randomUUID(), providers })
    const payment: PaymentView = body
    expect(payment.status).toBe('CANCELLED')
    expect(withdrawn).toEqual([`at_${payment.id}`])
  })
})
