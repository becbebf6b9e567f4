import { beforeAll, describe, expect, inject, it } from 'vitest'
import { spec as getPaymentInFull } from '#functions/payments/get-payment-in-full'
import { openTable } from '#lib/dynamo/table'
import { timestamp } from '#lib/kernel/clock'
import { DomainError } from '#lib/kernel/domain-error'
import { newId, PaymentId } from '#lib/kernel/id'
import { localDynamoClient } from '#lib/local/dynamodb'
import { openInbox } from '#lib/payments/callbacks/inbox.dynamo'
import { openPayments } from '#lib/payments/payment-store.dynamo'
import type { PaymentView } from '#lib/payments/payment-view'
import type { FirstProvider } from '#lib/payments/provider/first-port'
import type { ProviderEvent } from '#lib/payments/provider/provider'
import { refundPayment } from '#lib/payments/refunds/refund-payment'
import { reconcile } from '#lib/payments/upkeep/reconcile'
import { call } from '#test/support/call'
import { deliver } from '#test/support/callbacks'
import { aUser, consoleToken, type GivenUser } from '#test/support/given'
import { aPayment, fromPlayed, paymentOf, played, success } from '#test/support/payments'

let user: GivenUser
beforeAll(async () => {
  user = await aUser()
})

const table = () =>
  openTable(process.env['TABLE_NAME'] ?? '', () => localDynamoClient(inject('stack').dynamoEndpoint))
const store = () => openPayments(table())
const afterMinutes = (minutes: number) => new Date(Date.now() + minutes * 60_000)

/** One run, so many minutes from now, with a provider that plays these parts. */
const run = (minutes: number, parts: Partial<FirstProvider> = {}) =>
  reconcile({
    payments: store(),
    inbox: openInbox(table()),
    providers: played(parts),
    now: () => afterMinutes(minutes),
    newId,
  })
const aPlayedPayment = (): Promise<PaymentView> => aPayment(user, { provider: 'played' }, played())
const answers = (payment: PaymentView, ...events: ProviderEvent[]) => ({
  ask: async ({ payment: asked }: { payment: { id: string } | null }) =>
    asked?.id === payment.id ? events : [],
})
const kept = (id: string) => store().get(PaymentId.parse(id))

describe('reconciliation', () => {
  it('leaves payments alone for ten minutes, then asks, and asks ever more rarely', async () => {
    const payment = await aPlayedPayment()
    const asked: string[] = []
    const ask = async ({ payment: about }: { payment: { id: string } | null }) => {
      asked.push(about?.id ?? '')
      return []
    }
    const timesAt = async (minutes: number) => {
      asked.length = 0
      await run(minutes, { ask })
      return asked.filter((id) => id === payment.id).length
    }
    expect(await timesAt(9)).toBe(0)
    expect(await timesAt(11)).toBe(1)
    expect(await timesAt(12)).toBe(0)
    expect(await timesAt(30)).toBe(0)
    expect(await timesAt(32)).toBe(1)
    expect((await paymentOf(user, payment.id)).status).toBe('PENDING')
  })

  it('believes what the provider then says, once, and asks no more', async () => {
    const payment = await aPlayedPayment()
    expect(await run(11, answers(payment, success(payment)))).toMatchObject({ moved: 1, failed: 0 })
    expect((await paymentOf(user, payment.id)).status).toBe('SUCCEEDED')
    expect((await kept(payment.id))?.dueAt).toBeNull()
    // The callback that was lost arrives after all.
    const providers = played({ translate: () => [success(payment, { eventId: 'late' })] })
    await deliver(fromPlayed(), { providers })
    expect((await paymentOf(user, payment.id)).events.map(({ type }) => type)).toEqual([
      'payment.created',
      'payment.succeeded',
    ])
  })

  it('hands a sum that does not match to an administrator', async () => {
    const payment = await aPlayedPayment()
    await run(11, answers(payment, success({ ...payment, amount: 1 })))
    expect((await paymentOf(user, payment.id)).status).toBe('PENDING')
    const { body } = await call(getPaymentInFull, { token: await consoleToken(), params: { id: payment.id } })
    expect(body).toMatchObject({ notifications: [{ status: 'MISMATCHED', type: 'paid' }] })
  })

  it('lets go of what nobody has paid in time, and announces it', async () => {
    const payment = await aPlayedPayment()
    await run(24 * 60 + 1)
    expect(await paymentOf(user, payment.id)).toMatchObject({
      status: 'EXPIRED',
      events: [{ type: 'payment.created' }, { type: 'payment.expired' }],
    })
    const { items } = await table().query({ partition: `PAYMENT#${payment.id}`, beginsWith: 'MOVE#' })
    expect(items).toMatchObject([
      { from: 'PENDING', to: 'EXPIRED', actor: 'system', reason: 'reconciliation' },
    ])
    expect((await kept(payment.id))?.dueAt).toBeNull()
  })

  it('asks once more before it lets go', async () => {
    const payment = await aPlayedPayment()
    await run(24 * 60 + 1, answers(payment, success(payment)))
    expect((await paymentOf(user, payment.id)).status).toBe('SUCCEEDED')
  })

  it('goes on with the others when a provider does not answer, and comes back to it', async () => {
    const silent = await aPlayedPayment()
    const payment = await aPlayedPayment()
    const ask: FirstProvider['ask'] = async ({ payment: about }) => {
      if (about?.id === silent.id) throw new DomainError('provider_unavailable')
      return about?.id === payment.id ? [success(payment)] : []
    }
    const done = await run(11, { ask })
    expect(done.failed).toBe(1)
    expect((await paymentOf(user, payment.id)).status).toBe('SUCCEEDED')
    await run(32, answers(silent, success(silent)))
    expect((await paymentOf(user, silent.id)).status).toBe('SUCCEEDED')
  })

  it('asks again after the expiry until it was answered once, for a week', async () => {
    const [payment, forgotten] = [await aPlayedPayment(), await aPlayedPayment()]
    const days = (count: number) => count * 24 * 60
    const down = { ask: silent }
    await run(days(1) + 1, down)
    expect(await kept(payment.id)).toMatchObject({ status: 'EXPIRED', dueAt: expect.any(String) })
    await run(days(2), answers(payment, success(payment)))
    expect(await paymentOf(user, payment.id)).toMatchObject({ status: 'SUCCEEDED' })
    expect(await kept(forgotten.id)).toMatchObject({ status: 'EXPIRED', dueAt: null })

    const unheard = await aPlayedPayment()
    await run(days(1) + 1, down)
    await run(days(7), down)
    expect((await kept(unheard.id))?.dueAt).not.toBeNull()
    await run(days(9), down)
    expect(await kept(unheard.id)).toMatchObject({ status: 'EXPIRED', dueAt: null })
  })

  it('goes on with the others when a provider cannot be opened, and then says what is wrong', async () => {
    const broken = await aPlayedPayment()
    const payment = await aPlayedPayment()
    const ask: FirstProvider['ask'] = async ({ payment: about }) => {
      if (about?.id === broken.id) throw new Error('webhookSecrets is missing')
      return about?.id === payment.id ? [success(payment)] : []
    }
    await expect(run(11, { ask })).rejects.toThrow('webhookSecrets is missing')
    expect((await paymentOf(user, payment.id)).status).toBe('SUCCEEDED')
    expect(await run(12, { ask })).toMatchObject({ failed: 0 })
    await run(32, answers(broken, success(broken)))
    expect((await paymentOf(user, broken.id)).status).toBe('SUCCEEDED')
  })

  // Some providers look for what they have made only before they make it: of two that ask at once both would.
  it('asks for a refund once, though several runs and its own key come upon it at the same moment', async () => {
    const { payment, id } = await withRefund(silent)
    const made: string[] = []
    const lookThenMake: FirstProvider['refund'] = async (order) => {
      const isMade = made.includes(order.id)
      await new Promise((resolve) => setTimeout(resolve, 60))
      if (!isMade) made.push(order.id)
      return { state: 'succeeded', providerRefundId: null }
    }
    const parts = { ...answers(payment), refund: lookThenMake, findsRefunds: true }
    const deps = { payments: store(), now: () => afterMinutes(11), newId, providers: played(parts) }
    const which = { id: PaymentId.parse(payment.id), administrator: 'admin:a' }
    const again = refundPayment(deps, which, { amount: 500, reason: null }, { id, receipt: () => [] })
    await Promise.allSettled([run(11, parts), run(11, parts), again])
    expect(made).toEqual([id])
    expect((await paymentOf(user, payment.id)).refunds).toMatchObject([{ id, status: 'SUCCEEDED' }])
    expect(await kept(payment.id)).toMatchObject({ refundsAskedUntil: {}, dueAt: null })
  })

  it('carries on every refund of a payment, though one of them is never answered', async () => {
    const { payment, id } = await withRefund(silent)
    const deps = { payments: store(), now: () => new Date(), newId, providers: played({ refund: silent }) }
    const which = { id: PaymentId.parse(payment.id), administrator: 'admin:a' }
    const second = newId('refund')
    const claim = { id: second, receipt: () => [] }
    await refundPayment(deps, which, { amount: 700, reason: null }, claim).catch(() => undefined)
    const refund: FirstProvider['refund'] = async (order) => {
      if (order.id === id) throw new DomainError('provider_unavailable')
      return { state: 'succeeded', providerRefundId: `re_${order.id}` }
    }
    expect(await run(11, { ...answers(payment), refund })).toMatchObject({ failed: 1 })
    expect((await paymentOf(user, payment.id)).refunds).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ id, status: 'PENDING' }),
        expect.objectContaining({ id: second, status: 'SUCCEEDED' }),
      ]),
    )
  })

  /** That the provider has given 500 back, under a name of its own. */
  const refunded = (payment: PaymentView) =>
    success(payment, {
      eventId: `refunded_${payment.id}`,
      statement: {
        kind: 'refund',
        at: timestamp(new Date()),
        money: { amount: 500, currency: payment.currency },
        state: 'succeeded',
        providerRefundId: `re_${payment.id}`,
        refundId: null,
        reason: null,
      },
    })
  const refused = async () => ({ state: 'failed', providerRefundId: null }) as const

  it('hears of a refund whose answer was lost before it would ask for it again', async () => {
    const { payment, id } = await withRefund(silent)
    await run(11, { ...answers(payment, refunded(payment)), refund: refused })
    expect(await paymentOf(user, payment.id)).toMatchObject({
      amountRefunded: 500,
      refunds: [{ id, status: 'SUCCEEDED' }],
    })
  })

  it('believes a refusal of a provider that found no such refund, whatever one by hand looks like', async () => {
    const { payment, id } = await withRefund(silent)
    await run(11, { ...answers(payment, refunded(payment)), refund: refused, findsRefunds: true })
    const { amountRefunded, refunds } = await paymentOf(user, payment.id)
    expect(amountRefunded).toBe(500)
    expect(refunds).toHaveLength(2)
    expect(refunds).toContainEqual(expect.objectContaining({ id, status: 'FAILED' }))
    expect((await kept(payment.id))?.dueAt).toBeNull()
  })

  /** A paid payment with a refund that a provider was asked for and answered so. */
  const withRefund = async (refund: NonNullable<FirstProvider['refund']>) => {
    const payment = await aPlayedPayment()
    await run(11, answers(payment, success(payment)))
    const id = newId('refund')
    const deps = { payments: store(), now: () => new Date(), newId, providers: played({ refund }) }
    const which = { id: PaymentId.parse(payment.id), administrator: 'admin:a' }
    const claim = { id, receipt: () => [] }
    const begun = refundPayment(deps, which, { amount: 500, reason: null }, claim)
    return { payment, id, state: await begun.then(({ status }) => status).catch(({ code }) => code) }
  }
  const silent = async () => {
    throw new DomainError('provider_unavailable')
  }
  const waiting = async ({ id }: { id: string }) =>
    ({ state: 'pending', providerRefundId: `re_${id}` }) as const

  it('carries on a refund that the provider never heard of, under its own id', async () => {
    const { payment, id, state } = await withRefund(silent)
    expect(state).toBe('provider_unavailable')
    const orders: string[] = []
    const refund: FirstProvider['refund'] = async (order) => {
      orders.push(order.id)
      return { state: 'succeeded', providerRefundId: 're_1' }
    }
    await run(11, { ...answers(payment), refund })
    expect(orders).toEqual([id])
    expect(await paymentOf(user, payment.id)).toMatchObject({
      status: 'PARTIALLY_REFUNDED',
      refunds: [{ id, amount: 500, status: 'SUCCEEDED' }],
    })
    expect((await kept(payment.id))?.dueAt).toBeNull()
  })

  // A provider forgets an idempotency key after a day, some sooner: the same request then gives the money back twice.
  it.each([
    ['that its provider has taken in is not asked for again', waiting, {}, [11, 32, 75], 0],
    ['is not asked for again after a day, though nobody answered', silent, {}, [21 * 60], 0],
    ['is asked for until it ends where the provider finds it', waiting, { findsRefunds: true }, [11, 32], 2],
  ])('a refund %s', async (_, refund, parts, minutes, times) => {
    const { payment, id } = await withRefund(refund)
    const orders: string[] = []
    const again: FirstProvider['refund'] = async (order) => {
      if (order.id === id) orders.push(order.id)
      return waiting(order)
    }
    for (const minute of minutes) await run(minute, { ...answers(payment), ...parts, refund: again })
    expect(orders).toHaveLength(times)
    expect((await paymentOf(user, payment.id)).refunds).toMatchObject([{ id, status: 'PENDING' }])
  })
})
