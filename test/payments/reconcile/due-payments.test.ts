import { describe, expect, it } from 'vitest'
import { DomainError } from '#lib/kernel/domain-error'
import type { PaymentId } from '#lib/kernel/id'
import type { PaymentStore } from '#lib/payments/payment-store'
import { markDue, type Payment, revised, withCheckout } from '#lib/payments/state/payment'
import type { PaymentReading } from '#lib/payments/state/reading'
import type { PaymentProvider } from '#lib/providers/provider'
import { anUpkeep, chargeOf, reading, refundOf } from '#test/support/upkeep'

const HOUR = 60
const DAY = 24 * HOUR
const WEEK = 7 * DAY

/** A provider account that is read so. */
const answering = (read: (id: PaymentId) => PaymentReading | Promise<PaymentReading>) => ({
  readPayment: (async ({ payment }) => {
    if (!payment) throw new Error('Only known payments are asked about')
    return read(payment.id)
  }) satisfies PaymentProvider['readPayment'],
})
const down = answering(() => {
  throw new DomainError('provider_unavailable')
})

/** The payments of a function that dies after so many writes. */
function dyingAfter(payments: PaymentStore, writes: number): PaymentStore {
  let left = writes
  const commit: PaymentStore['commit'] = async (all) => {
    left -= 1
    if (left < 0) throw new TypeError('The function has died')
    await payments.commit(all)
  }
  return { ...payments, commit }
}

async function aStartedPayment() {
  const upkeep = anUpkeep()
  return { ...upkeep, payment: await upkeep.start() }
}

/** A payment that was paid in the first minute, and whose refund nobody has announced. */
async function aPaidPayment() {
  const { payment, ...upkeep } = await aStartedPayment()
  const charges = [chargeOf(payment, upkeep.at(1))]
  const paid = answering(() => reading(payment, { charges }))
  const refunded = answering(() =>
    reading(payment, { charges, refunds: [refundOf(payment, upkeep.at(2 * DAY))] }),
  )
  await upkeep.run(11, { played: paid })
  return { ...upkeep, payment, paid, refunded }
}

describe('a reading after the success of a payment', () => {
  it('is made again where it failed, so that a refund of the week is found', async () => {
    const { payment, run, kept, at, paid, refunded } = await aPaidPayment()
    await run(DAY + 2, { played: paid })
    const result = await run(WEEK + 2, { played: down })
    expect(result.faults).toEqual([
      { paymentId: payment.id, fault: expect.stringContaining('provider_unavailable') },
    ])
    expect(await kept(payment.id)).toMatchObject({ faults: 1, dueAt: at(WEEK + 12) })
    await run(WEEK + 12, { played: refunded })
    // What was found is followed from anew.
    expect(await kept(payment.id)).toMatchObject({ status: 'PARTIALLY_REFUNDED', faults: 0 })
    expect(await kept(payment.id)).toMatchObject({ dueAt: at(30 * DAY + 1) })
  })

  it('is made again ever more rarely, needs someone after five faults, and ends after 130 days', async () => {
    const { payment, run, kept, at, paid } = await aPaidPayment()
    await run(DAY + 2, { played: paid })
    const minutesUntilDue: number[] = []
    for (let minutes = WEEK + 2, looks = 0; looks < 1_000; looks += 1) {
      await run(minutes, { played: down })
      const { dueAt } = await kept(payment.id)
      if (dueAt === null) break
      minutesUntilDue.push((Date.parse(dueAt) - Date.parse(at(minutes))) / 60_000)
      minutes = (Date.parse(dueAt) - Date.parse(at(0))) / 60_000
      if (looks === 4) {
        expect((await kept(payment.id)).attention).toMatchObject([{ code: 'cannot_be_read' }])
      }
    }
    expect(minutesUntilDue.slice(0, 8)).toEqual([10, 20, 40, 80, 160, 320, 360, 360])
    expect(minutesUntilDue.length).toBeLessThan(130 * 4)
    expect((await kept(payment.id)).attention).toMatchObject([{ code: 'cannot_be_read' }])
  })

  it('is tried five times where the first is 90 days late, so that somebody is asked', async () => {
    const { payment, run, kept } = await aStartedPayment()
    for (let tries = 0; tries < 10; tries += 1) await run(100 * DAY + tries * 6 * HOUR, { played: down })
    expect(await kept(payment.id)).toMatchObject({
      faults: 5,
      attention: [{ code: 'cannot_be_read' }],
      dueAt: null,
    })
  })

  it.each([
    ['a day', DAY + 2],
    ['a week', WEEK + 2],
    ['120 days', 120 * DAY + 2],
  ])('is not lost by a function that dies right after the entry moved, %s after', async (_, dying) => {
    const { payment, payments, run, kept, paid, refunded } = await aPaidPayment()
    for (const day of [1, 7, 30, 60, 90]) {
      const minutes = day * DAY + 2
      if (minutes >= dying) break
      await run(minutes, { played: paid })
    }
    const died = run(dying, { played: refunded }, { payments: dyingAfter(payments, 1) })
    await expect(died).rejects.toThrow('died')
    expect(await kept(payment.id)).toMatchObject({ status: 'SUCCEEDED', dueAt: expect.any(String) })
    await run(dying + HOUR, { played: refunded })
    expect(await kept(payment.id)).toMatchObject({ status: 'PARTIALLY_REFUNDED' })
  })

  it('stores all of a long reading, also where a function dies in the middle of it', async () => {
    const { payment, payments, run, kept, at, paid } = await aPaidPayment()
    await run(DAY + 2, { played: paid })
    const refunds = Array.from({ length: 45 }, (_, place) => ({
      ...refundOf(payment, at(2 * DAY)),
      money: { amount: 10, currency: payment.currency },
      providerRefundId: `R${place} ${payment.id}`,
    }))
    const long = answering(() => reading(payment, { charges: [chargeOf(payment, at(1))], refunds }))
    const died = run(WEEK + 2, { played: long }, { payments: dyingAfter(payments, 2) })
    await expect(died).rejects.toThrow('died')
    expect(await kept(payment.id)).toMatchObject({ amountRefunded: 100, dueAt: expect.any(String) })
    await run(WEEK + DAY, { played: long })
    expect(await kept(payment.id)).toMatchObject({ amountRefunded: 450 })
  })

  it('leaves due what a callback has made due meanwhile', async () => {
    const { payment, payments, run, kept, at, paid } = await aPaidPayment()
    await run(DAY + 2, { played: paid })
    const seen = new Date(at(WEEK + 2))
    const slow = answering(async (id) => {
      const now = await kept(id)
      const next = markDue(now, seen)
      if (next) await payments.commit(payments.save(now, next))
      return reading(payment, { charges: [chargeOf(payment, at(1))] })
    })
    await run(WEEK + 2, { played: slow })
    expect(await kept(payment.id)).toMatchObject({ dueAt: at(WEEK + 2) })
    await run(WEEK + 3, { played: paid })
    expect(await kept(payment.id)).toMatchObject({ dueAt: at(30 * DAY + 1) })
  })
})

describe('a payment without an end', () => {
  it('in PROCESSING for 30 days needs someone, until its provider says how it ended', async () => {
    const { start, run, kept, at } = anUpkeep()
    const payment = await start()
    const processing = answering(() => reading(payment, { charges: [{ kind: 'processing', at: at(5) }] }))
    await run(11, { played: processing })
    for (let day = 1; day <= 30; day += 1) await run(day * DAY, { played: processing })
    expect(await kept(payment.id)).toMatchObject({ status: 'PROCESSING', attention: [] })
    await run(30 * DAY + 6 * HOUR, { played: processing })
    expect(await kept(payment.id)).toMatchObject({
      status: 'PROCESSING',
      attention: [{ code: 'processing_too_long' }],
    })
    const charges = [chargeOf(payment, at(31 * DAY))]
    await run(31 * DAY, { played: answering(() => reading(payment, { charges })) })
    expect(await kept(payment.id)).toMatchObject({ status: 'SUCCEEDED', attention: [] })
  })

  it('is asked about once a day where its page cannot be closed, for 90 days', async () => {
    const { start, run, kept, at } = anUpkeep()
    const payment = await start()
    const days: number[] = []
    const unpaid = (minutes: number) =>
      answering(() => {
        if (minutes > DAY + HOUR) days.push(minutes / DAY)
        return reading(payment)
      })
    for (
      let { dueAt }: Pick<Payment, 'dueAt'> = payment;
      dueAt !== null;
      { dueAt } = await kept(payment.id)
    ) {
      const minutes = (Date.parse(dueAt) - Date.parse(at(0))) / 60_000
      await run(minutes, { played: unpaid(minutes) })
    }
    expect(await kept(payment.id)).toMatchObject({ status: 'EXPIRED' })
    expect(days).toHaveLength(90)
    expect(days.every((day, place) => Math.round(day) === place + 2)).toBe(true)
  })
})

describe('a payment whose time is over', () => {
  it('is looked at once more, whatever else is stored of it first', async () => {
    const { start, payments, run, kept, at } = anUpkeep()
    const payment = await start()
    const ends = { ...payment, pageEndsAt: payment.expiresAt, version: payment.version + 1 }
    await payments.commit(payments.save(payment, ends))
    // A callback that its API does not confirm yet, for instance.
    await payments.commit(payments.save(ends, revised(ends, ends, new Date(at(DAY + 1)))))
    expect(await kept(payment.id)).toMatchObject({ status: 'EXPIRED', dueAt: payment.dueAt })
    const charges = [chargeOf(payment, at(DAY - 1))]
    await run(DAY + 2, { played: answering(() => reading(payment, { charges })) })
    expect(await kept(payment.id)).toMatchObject({ status: 'SUCCEEDED' })
  })
})

describe('a charge of another sum', () => {
  it('needs someone until it is given back, also where the function died that stored it first', async () => {
    const { start, payments, callbacks, run, kept, at } = anUpkeep()
    const payment = await start()
    const charges = [chargeOf({ ...payment, amount: 999 }, at(1))]
    const wrong = answering(() => reading(payment, { charges }))
    const died = run(11, { played: wrong }, { payments: dyingAfter(payments, 1) })
    await expect(died).rejects.toThrow('died')
    expect(await kept(payment.id)).toMatchObject({ attention: [] })
    await run(HOUR, { played: wrong })
    expect(await kept(payment.id)).toMatchObject({ attention: [{ code: 'wrong_sum' }] })
    const { items } = await callbacks.list('ATTENTION', { limit: 10, after: undefined })
    expect(items).toMatchObject([{ status: 'MISMATCHED', paymentId: payment.id }])
    const given = { ...refundOf(payment, at(DAY)), chargeId: charges[0]?.chargeId ?? null }
    const refunds = [{ ...given, money: { amount: 999, currency: 'EUR' as const } }]
    await run(DAY, { played: answering(() => reading(payment, { charges, refunds })) })
    expect(await kept(payment.id)).toMatchObject({ attention: [] })
  })
})

describe('a backlog', () => {
  const several = async (start: ReturnType<typeof anUpkeep>['start'], count: number, provider: string) =>
    Promise.all(Array.from({ length: count }, () => start(provider)))

  it('an account that is down holds up no other, and waits until it may be asked again', async () => {
    const { start, run, kept, at } = anUpkeep()
    const [lost, fine] = [await several(start, 150, 'down'), await several(start, 150, 'fine')]
    let asked = 0
    const counted = answering(() => {
      asked += 1
      throw new DomainError('provider_unavailable')
    })
    const paid = answering(async (id) => reading({ id }, { charges: [chargeOf(await kept(id), at(1))] }))
    const result = await run(11, { down: counted, fine: paid })
    expect(result).toMatchObject({
      looked: 300,
      moved: 150,
      failed: asked,
      postponed: 150 - asked,
      isDone: true,
    })
    // Five failures in a row close the account; only what was already under way is asked beside them.
    expect(asked).toBeLessThanOrEqual(5 + 25)
    expect(result.faults).toHaveLength(Math.min(asked, 20))
    const states = await Promise.all(fine.map(({ id }) => kept(id).then(({ status }) => status)))
    expect(new Set(states)).toEqual(new Set(['SUCCEEDED']))
    const waiting = await Promise.all(lost.map(({ id }) => kept(id)))
    expect(waiting.filter(({ dueAt }) => dueAt === at(11.5))).toHaveLength(150 - asked)
    const again = await run(12, { down: paid, fine: paid })
    expect(again).toMatchObject({ moved: 150 - asked, failed: 0, postponed: 0 })
  })

  it('is shared by runs at once: each payment is asked about once', async () => {
    const { start, run, kept, at } = anUpkeep()
    const backlog = await several(start, 150, 'fine')
    const asked: PaymentId[] = []
    const paid = answering(async (id) => {
      asked.push(id)
      return reading({ id }, { charges: [chargeOf(await kept(id), at(1))] })
    })
    const runs = await Promise.all([
      run(11, { fine: paid }),
      run(11, { fine: paid }),
      run(11, { fine: paid }),
    ])
    expect(asked.toSorted()).toEqual(backlog.map(({ id }) => id).toSorted())
    expect(runs.reduce((sum, { moved }) => sum + moved, 0)).toBe(150)
  })

  it('is left to the next run a minute before the time of the function is over', async () => {
    const { start, run, kept, at } = anUpkeep()
    await several(start, 400, 'slow')
    let [minutes, lastAsked] = [11, 0]
    const slow = answering(async (id) => {
      minutes += 1 / HOUR
      lastAsked = minutes
      return reading({ id }, { charges: [chargeOf(await kept(id), at(1))] })
    })
    const first = await run(11, { slow }, { now: () => new Date(at(minutes)) })
    expect(first).toMatchObject({ isDone: false, failed: 0 })
    // The page that was begun is looked through: at most a hundred payments, of a second each.
    expect(lastAsked).toBeGreaterThan(11 + 4)
    expect(lastAsked).toBeLessThan(11 + 4 + 100 / HOUR)
    const second = await run(20, { slow }, { now: () => new Date(at(minutes)) })
    expect(second).toMatchObject({ moved: 400 - first.moved, isDone: true })
  })

  it('a payment without news is written once: only its entries move', async () => {
    const { start, run, kept } = anUpkeep()
    const payment = await start()
    await run(11, { played: answering(() => reading(payment)) })
    expect((await kept(payment.id)).version).toBe(payment.version + 1)
  })
})

describe('a payment whose payer is asked on the phone', () => {
  it('is read one and three minutes after its start, and then as any other', async () => {
    const { payments, start, run, kept, at } = anUpkeep()
    const { id } = await start()
    const before = await kept(id)
    const started = withCheckout(before, { url: null, expiresAt: null, references: ['ws_CO_1'] })
    await payments.commit(payments.save(before, { ...started, version: before.version + 1 }))
    let read = 0
    for (const minutes of [1, 3, 13]) {
      expect(await kept(id)).toMatchObject({ dueAt: at(minutes) })
      await run(minutes, {
        played: answering(() => {
          read += 1
          return reading({ id })
        }),
      })
    }
    expect(read).toBe(3)
    expect(await kept(id)).toMatchObject({ dueAt: at(33) })
  })
})
