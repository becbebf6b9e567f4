import { beforeAll, describe, expect, it } from 'vitest'
import { spec as getPaymentInFull } from '#functions/payments/get-payment-in-full'
import { timestamp } from '#lib/kernel/clock'
import { DomainError } from '#lib/kernel/domain-error'
import { newId, PaymentId } from '#lib/kernel/id'
import { withFollowers } from '#lib/payment-requests/followers'
import { paymentDueKey, paymentKey } from '#lib/payments/payment.keys'
import { DUE_SHARDS } from '#lib/payments/payment-store'
import { openPayments } from '#lib/payments/payment-store.dynamo'
import type { PaymentView } from '#lib/payments/payment-view'
import { reconcile } from '#lib/payments/reconcile/reconcile-due'
import { refundPayment } from '#lib/payments/refunds/refund-payment'
import { READINGS_A_MINUTE } from '#lib/providers/circuit-breaker'
import type { PaymentProvider, ProviderEvent } from '#lib/providers/provider'
import { budgetKey } from '#lib/providers/provider.keys'
import { call } from '#test/support/call'
import { deliver } from '#test/support/callbacks'
import { aUser, consoleToken, type GivenUser } from '#test/support/given'
import { moneyStores } from '#test/support/money-stores'
import { aPayment, fromPlayed, paymentOf, played, reads, success } from '#test/support/payments'
import { testTable } from '#test/support/test-table'

let user: GivenUser
beforeAll(async () => {
  user = await aUser()
})

const store = () => openPayments(testTable())
const afterMinutes = (minutes: number) => new Date(Date.now() + minutes * 60_000)

/** One run, so many minutes from now, with a provider that plays these parts. */
const run = (minutes: number, parts: Partial<PaymentProvider> = {}) =>
  runAt(() => afterMinutes(minutes), parts)

const runAt = (now: () => Date, parts: Partial<PaymentProvider> = {}) =>
  reconcile(
    withFollowers({
      ...moneyStores(testTable()),
      providers: played(parts),
      measure: (_what: string, seconds: number) => void waited.push(seconds),
      now,
      newId,
    }),
  )
/** How long the payment that was longest due had waited, by the run. */
const waited: number[] = []
const aPlayedPayment = (): Promise<PaymentView> => aPayment(user, { provider: 'played' }, played())
const answers = (payment: PaymentView, ...events: ProviderEvent[]) => ({
  readPayment: reads(async ({ payment: asked }) => (asked?.id === payment.id ? events : [])),
})
const kept = (id: string) => store().get(PaymentId.parse(id))

describe('reconciliation', () => {
  it('leaves payments alone for ten minutes, then asks, and asks ever more rarely', async () => {
    const payment = await aPlayedPayment()
    const asked: string[] = []
    const readPayment: PaymentProvider['readPayment'] = async ({ payment: about }) => {
      asked.push(about?.id ?? '')
      return null
    }
    const timesAt = async (minutes: number) => {
      asked.length = 0
      await run(minutes, { readPayment })
      return asked.filter((id) => id === payment.id).length
    }
    expect(await timesAt(9)).toBe(0)
    expect(await timesAt(11)).toBe(1)
    expect(await timesAt(12)).toBe(0)
    expect(await timesAt(30)).toBe(0)
    expect(await timesAt(32)).toBe(1)
    expect((await paymentOf(user, payment.id)).status).toBe('PENDING')
  })

  it('believes what the provider then says, once', async () => {
    const payment = await aPlayedPayment()
    expect(await run(11, answers(payment, success(payment)))).toMatchObject({ moved: 1, failed: 0 })
    expect((await paymentOf(user, payment.id)).status).toBe('SUCCEEDED')
    // The callback that was lost arrives after all.
    const providers = played({ interpret: () => [success(payment, { eventId: 'late' })] })
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
    expect(body).toMatchObject({
      attention: [{ code: 'wrong_sum' }],
      callbacks: [{ status: 'MISMATCHED', type: 'read.succeeded' }],
    })
  })

  it.each(['', 'x'])(
    'hands refunds that do not match, with long reasons, to an administrator',
    async (first) => {
      const payment = await aPlayedPayment()
      const refundOf = (amount: number): ProviderEvent =>
        success(payment, {
          statement: {
            kind: 'refund',
            at: timestamp(new Date()),
            state: 'succeeded',
            reason: first + '😀'.repeat(200),
            providerRefundId: `re_${amount}_${payment.id}`,
            refundId: null,
            money: { amount, currency: 'EUR' },
          },
        })
      await run(11, answers(payment, success(payment), refundOf(20_000), refundOf(30_000)))
      const { body } = await call(getPaymentInFull, {
        token: await consoleToken(),
        params: { id: payment.id },
      })
      expect(body).toMatchObject({
        status: 'SUCCEEDED',
        callbacks: [{ type: 'read.refund' }, { type: 'read.refund' }],
      })
    },
  )

  it('stores a failure whose code is a long text', async () => {
    const payment = await aPlayedPayment()
    const code = 'THE_BANK_OF_THE_PAYER_'.repeat(20)
    const at = timestamp(new Date())
    const failed = { kind: 'failed', at, final: true, code, message: 'No' } as const
    await run(11, answers(payment, success(payment, { statement: failed })))
    expect(await paymentOf(user, payment.id)).toMatchObject({ status: 'FAILED', failure: { code } })
  })

  it('expires payments that nobody has paid in time, and announces it', async () => {
    const payment = await aPlayedPayment()
    await run(24 * 60 + 1)
    expect(await paymentOf(user, payment.id)).toMatchObject({
      status: 'EXPIRED',
      events: [{ type: 'payment.created' }, { type: 'payment.expired' }],
    })
    const { items } = await testTable().query({ partition: `PAYMENT#${payment.id}`, beginsWith: 'MOVE#' })
    expect(items).toMatchObject([
      { from: 'PENDING', to: 'EXPIRED', actor: 'system', reason: 'reconciliation' },
    ])
    // Its provider can neither be read nor close the page: looking again would be in vain.
    expect((await kept(payment.id))?.dueAt).toBeNull()
  })

  it('asks once more before it lets go', async () => {
    const payment = await aPlayedPayment()
    await run(24 * 60 + 1, answers(payment, success(payment)))
    expect((await paymentOf(user, payment.id)).status).toBe('SUCCEEDED')
  })

  it('goes on with the others when one payment cannot be read, and says so after five times', async () => {
    const broken = await aPlayedPayment()
    const payment = await aPlayedPayment()
    const readPayment: PaymentProvider['readPayment'] = async (question) => {
      if (question.payment?.id === broken.id) throw new Error('There is no such currency')
      return answers(payment, success(payment)).readPayment(question)
    }
    expect(await run(11, { readPayment })).toMatchObject({ failed: 1 })
    expect((await paymentOf(user, payment.id)).status).toBe('SUCCEEDED')
    for (const minutes of [32, 75, 160, 340]) await run(minutes, { readPayment })
    expect((await kept(broken.id))?.attention).toMatchObject([{ code: 'cannot_be_read' }])
    await run(800, answers(broken, success(broken)))
    expect(await kept(broken.id)).toMatchObject({ status: 'SUCCEEDED', attention: [] })
  })

  it('is held up by no entry without a payment behind it', async () => {
    const stray = Array.from({ length: 120 }, () => newId('payment'))
    await testTable().writeEach(
      stray.map((id) => ({ put: { ...paymentDueKey('2020-01-01T00:00:00.000Z', id), kind: 'payment-due' } })),
    )
    const payment = await aPlayedPayment()
    expect(await run(11, answers(payment, success(payment)))).toMatchObject({ isDone: true })
    expect(waited.at(-1)).toBeGreaterThan(1_000_000)
    expect((await paymentOf(user, payment.id)).status).toBe('SUCCEEDED')
    await run(11)
    expect(waited.at(-1)).toBe(0)
    for (let shard = 0; shard < DUE_SHARDS; shard += 1) {
      const page = { shard, limit: 10, after: undefined }
      expect(await store().due(timestamp(afterMinutes(0)), page)).toEqual([])
    }
  })

  it('is held up by no record that cannot be read, and then says that there is one', async () => {
    const broken = Array.from({ length: 120 }, () => newId('payment'))
    const dueAt = '2020-01-01T00:00:00.000Z'
    const rows = broken.flatMap((id) => [
      { put: { ...paymentDueKey(dueAt, id), kind: 'payment-due' } },
      { put: { ...paymentKey(id), kind: 'payment', id, dueAt } },
    ])
    await testTable().writeEach(rows)
    const payment = await aPlayedPayment()
    await expect(run(11, answers(payment, success(payment)))).rejects.toThrow('expected')
    expect((await paymentOf(user, payment.id)).status).toBe('SUCCEEDED')
    await testTable().writeEach(rows.map(({ put: { pk, sk } }) => ({ remove: { pk, sk } })))
  })

  it('leaves a provider alone for as long as it asks for, and comes back', async () => {
    const payment = await aPlayedPayment()
    const busy = async () => {
      throw new DomainError('provider_unavailable', { retryAfterSeconds: 1_800 })
    }
    await run(11, { readPayment: busy })
    let asked = 0
    const readPayment: PaymentProvider['readPayment'] = async () => {
      asked += 1
      return null
    }
    await run(35, { readPayment })
    expect(asked).toBe(0)
    // One that was due meanwhile is looked at as soon as the account may be asked again.
    const waiting = await aPlayedPayment()
    await run(36, { readPayment })
    expect(asked).toBe(0)
    await run(42, { readPayment: async (question) => answers(waiting).readPayment(question) })
    expect((await kept(waiting.id))?.asks).toBe(1)
    await run(24 * 60 + 1, answers(payment, success(payment)))
    expect((await paymentOf(user, payment.id)).status).toBe('SUCCEEDED')
  })

  /** A payment that a callback of its provider has ended. */
  const aFailedPayment = async () => {
    const payment = await aPlayedPayment()
    const failure = success(payment, {
      eventId: `failed_${payment.id}`,
      statement: { kind: 'failed', at: timestamp(new Date()), final: true, code: 'declined', message: 'No.' },
    })
    await deliver(fromPlayed(), { providers: played({ interpret: () => [failure] }) })
    expect((await paymentOf(user, payment.id)).status).toBe('FAILED')
    return payment
  }

  it('closes the page of a payment that a callback has ended in its next run', async () => {
    const payment = await aFailedPayment()
    const closed: string[] = []
    await run(0, { ...answers(payment), close: async ({ id }) => closed.push(id) > 0 })
    expect(closed).toContain(payment.id)
    expect(await kept(payment.id)).toMatchObject({ status: 'FAILED', isPageClosed: true, dueAt: null })
  })

  it('tries to close a page again after ten minutes where the provider did not answer', async () => {
    const payment = await aFailedPayment()
    const tried: number[] = []
    const closing = (minutes: number) =>
      run(minutes, {
        ...answers(payment),
        close: async ({ id }) => {
          if (id === payment.id) tried.push(minutes)
          if (minutes < 10) throw new DomainError('provider_unavailable')
          return true
        },
      })
    for (const minutes of [0, 5, 11, 30]) await closing(minutes)
    expect(tried).toEqual([0, 11])
    expect(await kept(payment.id)).toMatchObject({ isPageClosed: true, dueAt: null })
  })

  it('reads so many payments of an account a minute, and the others in the minutes that they take', async () => {
    const payment = await aPlayedPayment()
    const moment = afterMinutes(200)
    const minute = moment.toISOString().slice(0, 16)
    await testTable().increment(
      budgetKey('played', minute),
      { readings: 2 * READINGS_A_MINUTE + 50 },
      { kind: 'provider-budget' },
    )
    const looked: string[] = []
    const readPayment: PaymentProvider['readPayment'] = async (question) => {
      looked.push(question.payment?.id ?? '')
      return null
    }
    expect(await runAt(() => moment, { readPayment })).toMatchObject({ isDone: true })
    expect(looked).toEqual([])
    const later = new Date(moment.getTime() + 2 * 60_000)
    expect(await kept(payment.id)).toMatchObject({ dueAt: timestamp(later), asks: 0 })
    await runAt(() => later, { readPayment })
    expect(looked).toContain(payment.id)
  })

  it('closes the page of an expired payment, and asks no more once it is closed', async () => {
    const payment = await aPlayedPayment()
    const closed: string[] = []
    const close = async ({ id }: { id: string }) => {
      closed.push(id)
      return true
    }
    await run(24 * 60 + 1, { ...answers(payment), close })
    expect(closed).toContain(payment.id)
    expect(await kept(payment.id)).toMatchObject({ status: 'EXPIRED', isPageClosed: true, dueAt: null })
  })

  it('goes on asking once a day about a page that cannot be closed, for ninety days', async () => {
    const payment = await aPlayedPayment()
    const days = (count: number) => count * 24 * 60
    await run(days(1) + 1, answers(payment))
    for (const day of [3, 10]) await run(days(day), answers(payment))
    expect(await kept(payment.id)).toMatchObject({ status: 'EXPIRED', dueAt: expect.any(String) })
    await run(days(40), answers(payment, success(payment)))
    expect(await paymentOf(user, payment.id)).toMatchObject({ status: 'SUCCEEDED' })

    const unpaid = await aPlayedPayment()
    await run(days(1) + 1, answers(unpaid))
    await run(days(91), answers(unpaid))
    expect(await kept(unpaid.id)).toMatchObject({ status: 'EXPIRED', dueAt: null })
  })

  it('reads a payment again 1, 7, 30, 60, 90 and 120 days after it succeeded: a lost refund is found', async () => {
    const payment = await aPlayedPayment()
    const now = success(payment, {
      statement: { kind: 'succeeded', at: timestamp(new Date()), money: { amount: 12_550, currency: 'EUR' } },
    })
    await run(11, answers(payment, now))
    const looks: number[] = []
    const wanted = [1, 7, 30, 60, 90, 120]
    for (const minutes of [0.5, 1, 3, 7, 20, 30, 45, 60, 90, 119, 120, 130].map((day) => day * 24 * 60 + 2)) {
      await run(minutes, {
        readPayment: async (question) => {
          if (question.payment?.id === payment.id) looks.push(minutes)
          return answers(payment, now, ...(minutes > 100_000 ? [refunded(payment)] : [])).readPayment(
            question,
          )
        },
      })
    }
    expect(looks).toEqual(wanted.map((day) => day * 24 * 60 + 2))
    expect(await paymentOf(user, payment.id)).toMatchObject({
      status: 'PARTIALLY_REFUNDED',
      amountRefunded: 500,
    })
    expect((await kept(payment.id))?.dueAt).toBeNull()
  })

  it('needs someone for an inquiry from the reading that says until when to respond', async () => {
    const payment = await aPlayedPayment()
    const inquiry = (respondBy: string | null) =>
      success(payment, {
        statement: {
          kind: 'dispute',
          at: timestamp(new Date()),
          disputeId: `dp_${payment.id}`,
          state: 'inquiry',
          respondBy: respondBy === null ? null : timestamp(new Date(respondBy)),
        },
      })
    const shown = async () => {
      const request = { token: await consoleToken(), params: { id: payment.id } }
      const { attention, disputes } = (await call(getPaymentInFull, request)).body
      return { codes: attention.map(({ code }) => code), disputes }
    }
    await run(11, answers(payment, success(payment), inquiry(null)))
    expect(await shown()).toMatchObject({ codes: [], disputes: [{ respondBy: null }] })
    const respondBy = '2027-01-20T10:00:00.000Z'
    await run(31 * 24 * 60, answers(payment, success(payment), inquiry(respondBy)))
    expect(await shown()).toMatchObject({ codes: ['dispute_due'], disputes: [{ respondBy }] })
    // A reading that leaves the time out takes nothing back.
    await run(61 * 24 * 60, answers(payment, success(payment), inquiry(null)))
    expect(await shown()).toMatchObject({ codes: ['dispute_due'], disputes: [{ respondBy }] })
  })

  /** That the provider has given 500 back, under a name of its own. */
  const refunded = (payment: PaymentView, more: object = {}) =>
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
        ...more,
      },
    })

  /** A paid payment with a refund that a provider was asked for and answered so. */
  const withRefund = async (
    startRefund: NonNullable<PaymentProvider['startRefund']>,
    readable: Partial<PaymentProvider> = { readPayment: async () => null },
  ) => {
    const payment = await aPlayedPayment()
    await run(11, answers(payment, success(payment)))
    const id = newId('refund')
    const providers = played({ ...readable, startRefund })
    const now = () => new Date()
    const deps = withFollowers({ ...moneyStores(testTable()), now, newId, providers })
    const which = { id: PaymentId.parse(payment.id), administrator: 'admin:a' }
    const claim = { id, resumed: false, receipt: () => [] }
    const draft = { amount: 500, reason: null, chargeId: null }
    const begun = refundPayment(deps, which, draft, claim)
    return { payment, id, state: await begun.then(({ status }) => status).catch(({ code }) => code) }
  }
  const silent = async () => {
    throw new DomainError('provider_unavailable')
  }

  it('learns what came of a refund whose answer was lost by reading, and never asks for it again', async () => {
    const { payment, id, state } = await withRefund(silent)
    expect(state).toBe('provider_unavailable')
    let orders = 0
    const startRefund = async () => {
      orders += 1
      return { state: 'succeeded', providerRefundId: 're_new' } as const
    }
    const found = refunded(payment, { refundId: id })
    await run(2, { ...answers(payment, success(payment), found), startRefund })
    expect(orders).toBe(0)
    expect(await paymentOf(user, payment.id)).toMatchObject({
      amountRefunded: 500,
      refunds: [{ id, status: 'SUCCEEDED', needsResolution: false }],
    })
  })

  it('takes no refund by hand of the same sum for one whose answer was lost: that needs a resolution', async () => {
    const { payment, id } = await withRefund(silent)
    for (const minutes of [2, 14, 40])
      await run(minutes, answers(payment, success(payment), refunded(payment)))
    const { amountRefunded, refunds } = await paymentOf(user, payment.id)
    expect(amountRefunded).toBe(500)
    expect(refunds).toHaveLength(2)
    expect(refunds).toContainEqual(expect.objectContaining({ id, status: 'PENDING', needsResolution: true }))
    expect((await kept(payment.id))?.attention).toMatchObject([{ code: 'refund_unresolved' }])
  })

  it('needs someone for a refund that a provider without an API has not spoken of for a day', async () => {
    const waiting = async () => ({ state: 'pending', providerRefundId: 're_w' }) as const
    const { payment } = await withRefund(waiting, {})
    const days = (count: number) => count * 24 * 60
    for (const minutes of [2, days(1) + 3]) await run(minutes)
    expect((await kept(payment.id))?.attention).toMatchObject([{ code: 'refund_unresolved' }])
  })

  it('follows a refund that its provider has accepted until it ends', async () => {
    const waiting = async () => ({ state: 'pending', providerRefundId: 're_w' }) as const
    const { payment, id } = await withRefund(waiting)
    const pending = refunded(payment, { providerRefundId: 're_w', state: 'pending' })
    for (const minutes of [2, 14]) await run(minutes, answers(payment, success(payment), pending))
    expect((await paymentOf(user, payment.id)).refunds).toMatchObject([{ id, status: 'PENDING' }])
    const ended = refunded(payment, { providerRefundId: 're_w' })
    await run(40, answers(payment, success(payment), ended))
    expect((await paymentOf(user, payment.id)).refunds).toMatchObject([{ id, status: 'SUCCEEDED' }])
  })
})
