import { beforeAll, describe, expect, it, vi } from 'vitest'
import { spec as listActions } from '#functions/administration/list-actions'
import { spec as listAllPayments } from '#functions/payments/list-all-payments'
import { spec as refundPayment } from '#functions/payments/refund-payment'
import { spec as resolveRefund } from '#functions/payments/resolve-refund'
import { timestamp } from '#lib/kernel/clock'
import { DomainError } from '#lib/kernel/domain-error'
import { newId, RefundId } from '#lib/kernel/id'
import type { PaymentView } from '#lib/payments/payment-view'
import type { PaymentProvider, RefundOrder } from '#lib/providers/provider'
import type { Providers } from '#lib/providers/registry'
import { call } from '#test/support/call'
import { deliver } from '#test/support/callbacks'
import { aUser, consoleToken, type GivenUser } from '#test/support/given'
import {
  aPayment,
  fromPlayed,
  paymentOf,
  played,
  reads,
  success,
  unknownPayment,
} from '#test/support/payments'

let user: GivenUser
let token: string
beforeAll(async () => {
  user = await aUser()
  token = await consoleToken()
})

/** A provider that loses its answer to the first order, and holds the refunds that a test puts there. */
function forgetful(parts: Partial<PaymentProvider> = {}) {
  const orders: RefundOrder[] = []
  const held: { id: string; refundId: string }[] = []
  let payment: PaymentView | undefined
  const refundOf = ({ id, refundId }: (typeof held)[number]) =>
    success(payment ?? unknownPayment(), {
      statement: {
        kind: 'refund',
        at: timestamp(new Date()),
        money: { amount: 500, currency: 'EUR' },
        state: 'succeeded',
        providerRefundId: id,
        refundId: RefundId.parse(refundId),
        reason: null,
      },
    })
  const providers = played({
    readPayment: reads(async () => (payment ? [success(payment), ...held.map(refundOf)] : [])),
    startRefund: async (order) => {
      orders.push(order)
      if (orders.length === 1) throw new DomainError('provider_unavailable')
      return { state: 'succeeded', providerRefundId: `re_${order.key}` }
    },
    ...parts,
  })
  const pay = (paid: PaymentView) => {
    payment = paid
  }
  return { orders, held, providers, pay }
}

async function anUnresolvedRefund(provider: ReturnType<typeof forgetful>) {
  const { providers } = provider
  const payment = await aPayment(user, { provider: 'played' }, providers)
  provider.pay(payment)
  const paid = played({ interpret: () => [success(payment)] })
  await deliver(fromPlayed(), { providers: paid })
  const key = `key_${payment.id}`
  const ask = () =>
    call(refundPayment, {
      token,
      params: { id: payment.id },
      body: { amount: 500 },
      headers: { 'idempotency-key': key },
      deps: { providers },
    })
  expect(await ask()).toMatchObject({ status: 502, body: { code: 'provider_unavailable' } })
  const [refund] = (await paymentOf(user, payment.id)).refunds
  if (!refund) throw new Error('There is no refund')
  const resolve = (body: object, by: { providers: Providers } = provider, refundId: string = refund.id) =>
    call(resolveRefund, {
      token,
      params: { id: payment.id, refundId },
      body,
      deps: { providers: by.providers },
    })
  return { payment, refund, resolve }
}

/** Refuses the first order as credentials are refused, which carries nothing out, and takes every other. */
const refusedOnce =
  (orders: () => RefundOrder[]): NonNullable<PaymentProvider['startRefund']> =>
  async (order) => {
    orders().push(order)
    if (orders().length === 1) {
      const cause = Object.assign(new Error('answered 403'), { status: 403 })
      throw new DomainError('provider_unavailable', { cause })
    }
    return { state: 'pending', providerRefundId: `re_${order.key}` }
  }

/** The same provider, whose readings after the first ones answer as of when they began, once they are released. */
function lateReadings({ providers }: { providers: Providers }, prompt: number) {
  const gate = Promise.withResolvers<void>()
  let began = 0
  const late: Providers = {
    ...providers,
    find: async (name) => {
      const provider = await providers.find(name)
      if (!provider) return undefined
      const readPayment: PaymentProvider['readPayment'] = async (question) => {
        const reading = await provider.readPayment?.(question)
        began += 1
        if (began > prompt) await gate.promise
        return reading ?? null
      }
      return { ...provider, readPayment }
    },
  }
  const asked = (count: number) => vi.waitFor(() => expect(began).toBe(count))
  return { providers: late, release: gate.resolve, asked }
}

const note = 'Looked it up in the dashboard'
const UNREADABLE = { readPayment: undefined } as unknown as Partial<PaymentProvider>

describe('POST /payments/{id}/refunds/{refundId}/resolve', () => {
  it('makes a new attempt under a new key, and refuses another one until that is needed too', async () => {
    const provider = forgetful()
    const { payment, refund, resolve } = await anUnresolvedRefund(provider)
    // The first look is no certainty yet.
    expect(await resolve({ outcome: 'RETRY', note })).toMatchObject({ status: 409 })
    // The same key reads the payment, and asks for nothing again.
    expect(await resolve({ outcome: 'RETRY', note })).toMatchObject({ status: 409 })
    await reread(payment, provider)
    await reread(payment, provider)
    expect(await resolve({ outcome: 'RETRY', note })).toMatchObject({
      status: 200,
      body: { id: refund.id, status: 'SUCCEEDED', needsResolution: false },
    })
    expect(provider.orders.map(({ id, key }) => [id, key])).toEqual([
      [refund.id, refund.id],
      [refund.id, `${refund.id}-2`],
    ])
    expect(await resolve({ outcome: 'RETRY', note })).toMatchObject({
      status: 409,
      body: { code: 'refund_not_resolvable', refundStatus: 'SUCCEEDED' },
    })
    expect((await paymentOf(user, payment.id)).amountRefunded).toBe(500)
  })

  it.each([
    ['SUCCEEDED', 500],
    ['FAILED', 0],
  ])(
    'stores %s by the word of an administrator, and answers the same again',
    async (outcome, amountRefunded) => {
      const { payment, resolve } = await anUnresolvedRefund(forgetful(UNREADABLE))
      const { items }: { items: { id: string; attention: object[] }[] } = (
        await call(listAllPayments, { token, query: { attention: 'true', userId: user.id } })
      ).body
      expect(items.find(({ id }) => id === payment.id)).toMatchObject({
        attention: [{ code: 'refund_unresolved', at: expect.any(String) }],
      })
      const answer = await resolve({ outcome, note })
      expect(answer).toMatchObject({ status: 200, body: { status: outcome, needsResolution: false } })
      expect(await resolve({ outcome, note })).toMatchObject({ status: 200, body: answer.body })
      expect(await paymentOf(user, payment.id)).toMatchObject({ amountRefunded })
    },
  )

  it('tries nothing again at a provider that cannot be read', async () => {
    const { resolve } = await anUnresolvedRefund(forgetful(UNREADABLE))
    expect(await resolve({ outcome: 'RETRY', note })).toMatchObject({ status: 409 })
  })

  it('makes one attempt of two at the same moment, and stands in the journal once', async () => {
    const provider = forgetful()
    const { payment, resolve } = await anUnresolvedRefund(provider)
    await reread(payment, provider)
    await reread(payment, provider)
    const answers = await Promise.all([1, 2, 3].map(() => resolve({ outcome: 'RETRY', note })))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409])
    expect(provider.orders).toHaveLength(2)
    const { body } = await call(listActions, { token, query: { subject: payment.id } })
    expect(body).toMatchObject({
      items: [{ action: 'refund.resolved', by: 'admin' }, { action: 'payment.refunded' }],
    })
  })

  it.each([3, 6])(
    'makes one attempt of %i whose readings began before it and end after it',
    async (count) => {
      const provider = forgetful({ startRefund: refusedOnce(() => provider.orders) })
      const { payment, resolve } = await anUnresolvedRefund(provider)
      await reread(payment, provider)
      await reread(payment, provider)
      const lagging = lateReadings(provider, 1)
      const answers = Array.from({ length: count }, () => resolve({ outcome: 'RETRY', note }, lagging))
      await Promise.any(answers)
      lagging.release()
      const statuses = (await Promise.all(answers)).map(({ status }) => status).toSorted()
      expect(statuses).toEqual([200, ...Array.from({ length: count - 1 }, () => 409)])
      expect(provider.orders).toHaveLength(2)
    },
  )

  it('does not resolve an attempt that callbacks missed whose readings began before it', async () => {
    const provider = forgetful({ startRefund: refusedOnce(() => provider.orders) })
    const { payment, refund, resolve } = await anUnresolvedRefund(provider)
    await reread(payment, provider)
    await reread(payment, provider)
    const lagging = lateReadings(provider, 0)
    const late = [reread(payment, lagging), reread(payment, lagging)]
    await lagging.asked(2)
    expect(await resolve({ outcome: 'RETRY', note })).toMatchObject({
      status: 200,
      body: { status: 'PENDING' },
    })
    lagging.release()
    await Promise.all(late)
    expect(await paymentOf(user, payment.id)).toMatchObject({
      refunds: [{ id: refund.id, status: 'PENDING', needsResolution: false }],
    })
    expect(await resolve({ outcome: 'RETRY', note })).toMatchObject({
      status: 409,
      body: { code: 'refund_not_resolvable', refundStatus: 'PENDING' },
    })
    expect(provider.orders).toHaveLength(2)
  })

  it('stores one outcome of two that come at once, and answers both with it', async () => {
    const { payment, resolve } = await anUnresolvedRefund(forgetful(UNREADABLE))
    const answers = await Promise.all([1, 2].map(() => resolve({ outcome: 'SUCCEEDED', note })))
    expect(answers.map(({ status }) => status)).toEqual([200, 200])
    expect(answers[0]?.body).toEqual(answers[1]?.body)
    const { body } = await call(listActions, { token, query: { subject: payment.id } })
    expect(body).toMatchObject({ items: [{ action: 'refund.resolved' }, { action: 'payment.refunded' }] })
  })

  it('refuses what the provider holds, as it turns out at that moment, and stores what it says', async () => {
    const provider = forgetful()
    const { payment, refund, resolve } = await anUnresolvedRefund(provider)
    await reread(payment, provider)
    await reread(payment, provider)
    provider.held.push({ id: 're_after_all', refundId: refund.id })
    expect(await resolve({ outcome: 'RETRY', note })).toMatchObject({
      status: 409,
      body: { code: 'refund_not_resolvable', refundStatus: 'SUCCEEDED' },
    })
    expect(provider.orders).toHaveLength(1)
    expect((await paymentOf(user, payment.id)).amountRefunded).toBe(500)
  })

  it('needs someone when both attempts turn out to have gone through', async () => {
    const provider = forgetful()
    const { payment, refund, resolve } = await anUnresolvedRefund(provider)
    await reread(payment, provider)
    await reread(payment, provider)
    await resolve({ outcome: 'RETRY', note })
    provider.held.push(
      { id: 're_late', refundId: refund.id },
      { id: `re_${refund.id}-2`, refundId: refund.id },
    )
    await reread(payment, provider)
    expect(await paymentOf(user, payment.id)).toMatchObject({ amountRefunded: 1_000, refunds: [{}, {}] })
  })

  it('is for administrators, with a note, and for refunds there are', async () => {
    const { payment, refund, resolve } = await anUnresolvedRefund(forgetful(UNREADABLE))
    const params = { id: payment.id, refundId: refund.id }
    const body = { outcome: 'FAILED', note }
    expect(await call(resolveRefund, { params, body, token: user.token })).toMatchObject({ status: 403 })
    expect(await resolve({ outcome: 'FAILED' })).toMatchObject({ status: 400 })
    expect(await resolve({ outcome: 'PERHAPS', note })).toMatchObject({ status: 400 })
    expect(await resolve(body, undefined, newId('refund'))).toMatchObject({ status: 404 })
  })
})

/** A callback that only points at the payment has it read once more. */
const reread = (payment: PaymentView, { providers }: { providers: Providers }) => {
  const pointer = {
    eventId: `p_${Math.random()}`,
    type: 'changed',
    references: [payment.id],
    statement: null,
  }
  const pointing = {
    ...providers,
    find: async (name: string) => {
      const provider = await providers.find(name)
      return provider && { ...provider, interpret: () => [pointer] }
    },
  }
  return deliver(fromPlayed(), { providers: pointing })
}
