import { setTimeout as wait } from 'node:timers/promises'
import { openTable } from '#lib/dynamo/table'
import { secondsAfter, timestamp } from '#lib/kernel/clock'
import { DomainError } from '#lib/kernel/domain-error'
import { newId } from '#lib/kernel/id'
import { connectLocally } from '#lib/local/dynamodb'
import { withFollowers } from '#lib/payment-requests/followers'
import { openPayments } from '#lib/payments/payment-store.dynamo'
import { reconcile } from '#lib/payments/reconcile/reconcile-due'
import { openPayment, type Payment } from '#lib/payments/state/payment'
import { openCircuitBreaker } from '#lib/providers/circuit-breaker.dynamo'
import type { PaymentProvider } from '#lib/providers/provider'
import { moneyStores } from '#test/support/money-stores'
import { loadedTable, puts, TABLE_NAME, unsent } from './loaded-table.ts'

// `npm run bench -- due`: a backlog of due payments (100,000, or as many as the first argument says) of twenty provider
// accounts. One has asked to be left alone for an hour, one holds payments that nobody can read, one is down. Never in
// `npm test`.

const DUE = Number(process.argv[2] ?? 100_000)
const ACCOUNTS = 20
const LATENCY_MILLISECONDS = 50

/** A payment that was started a day ago and is due since, the longest due first. */
function dueOne(place: number): Payment {
  const startedAt = secondsAfter(new Date(), -24 * 60 * 60)
  const order = {
    provider: `account-${place % ACCOUNTS}`,
    amount: 12_550,
    currency: 'EUR',
    purpose: 'rent',
    listingId: null,
    phone: null,
    returnUrl: null,
    metadata: null,
  } as const
  const payment = openPayment(newId('payment'), newId('user'), order, startedAt)
  return { ...payment, dueAt: timestamp(secondsAfter(startedAt, 600 + place / 1000)) }
}

function* itemsOfDue() {
  const payments = openPayments(unsent)
  for (let place = 0; place < DUE; place += 1) yield puts(payments.insert(dueOne(place)))
}

const dynamo = await loadedTable(itemsOfDue())
try {
  const client = connectLocally(dynamo.endpoint)
  let requests = 0
  const table = openTable(TABLE_NAME, {
    send: (operation, input) => {
      requests += 1
      return client.send(operation, input)
    },
  })
  const circuitBreaker = openCircuitBreaker(table)

  const paid = (payment: Pick<Payment, 'id' | 'amount' | 'currency'>) => ({
    references: [payment.id],
    charges: [
      {
        kind: 'succeeded' as const,
        at: timestamp(new Date()),
        money: { amount: payment.amount, currency: payment.currency },
        chargeId: `ch_${payment.id}`,
      },
    ],
    refunds: [],
    disputes: [],
  })
  /** How often each account was asked. */
  const asked = new Map<string, number>()
  const provider = (name: string): PaymentProvider => ({
    currencies: 'any',
    countries: 'any',
    callbackMethods: ['POST'],
    acknowledgement: { status: 200, body: 'OK' },
    verify: () => 'signed',
    interpret: () => [],
    start: async () => ({ url: null, expiresAt: null, references: [] }),
    readPayment: async ({ payment }) => {
      await wait(LATENCY_MILLISECONDS)
      asked.set(name, (asked.get(name) ?? 0) + 1)
      if (name === 'account-1') throw new TypeError('Nobody can read this')
      if (name === 'account-2') throw new DomainError('provider_unavailable')
      return payment && paid(payment)
    },
  })
  // One account asks to be left alone for an hour.
  const seen = await circuitBreaker.countFailure('account-0')
  await circuitBreaker.open('account-0', seen, {
    openings: 1,
    until: timestamp(secondsAfter(new Date(), 3600)),
  })

  const deps = withFollowers({
    ...moneyStores(table),
    providers: { find: async (name: string) => provider(name) },
    now: () => new Date(),
    newId,
  })
  const secondsSince = (moment: number) => (performance.now() - moment) / 1000
  console.log(`${DUE} due, stored in ${secondsSince(0).toFixed(0)} s`)
  requests = 0
  const [begunAt, total] = [performance.now(), { runs: 0, looked: 0, moved: 0, failed: 0, postponed: 0 }]
  for (let isDone = false; !isDone; total.runs += 1) {
    const [startedAt, before] = [performance.now(), requests]
    const run = await reconcile({ ...deps, measure: () => undefined })
    isDone = run.isDone
    for (const what of ['looked', 'moved', 'failed', 'postponed'] as const) total[what] += run[what]
    const seconds = secondsSince(startedAt)
    const each = ((requests - before) / Math.max(1, run.looked)).toFixed(1)
    console.log(
      `a run of ${seconds.toFixed(0)} s took ${run.looked} (${(run.looked / seconds).toFixed(0)} a second, ` +
        `${each} requests each): ${run.moved} moved, ${run.failed} failed, ${run.postponed} postponed`,
    )
  }
  console.log({
    ...total,
    seconds: Math.round(secondsSince(begunAt)),
    requestsOfEach: (requests / total.looked).toFixed(2),
    asked: Object.fromEntries(asked),
  })
} finally {
  await dynamo.stop()
}
