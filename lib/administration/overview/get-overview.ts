import * as z from 'zod'
import { type Clock, Timestamp } from '#lib/kernel/clock'
import type { ConsoleRole } from '#lib/kernel/console-role'
import { Currency, shownSum } from '#lib/kernel/money'
import { PaymentStatus } from '#lib/payments/state/payment-status'
import type { OverviewCount, OverviewReader } from './overview-store.ts'
import { Queue, shownDays } from './parts.ts'

const count = z.int().min(0).meta({ example: 12 })

const WaitingInQueue = z
  .object({ count, oldestAt: Timestamp.nullable().meta({ description: 'Null where nothing waits' }) })
  .meta({ id: 'OverviewWaiting' })
const Waiting = WaitingInQueue.nullable()

const PaymentCount = z
  .object({
    date: z.iso.date(),
    currency: Currency,
    status: PaymentStatus,
    count,
    amount: count.meta({ description: 'The sum of their amounts, in minor units', example: 150_000 }),
  })
  .meta({ id: 'OverviewPayments' })

/**
 * The queues of administrators, and the payments and sign-ups of the last days. A part that the caller's roles may not
 * read is null.
 */
export const Overview = z
  .object({
    waiting: z.object({
      kyc: Waiting.meta({ description: 'People who wait for a decision' }),
      listings: Waiting.meta({ description: 'Listings and revisions that wait for a moderator' }),
      reports: Waiting.meta({ description: 'Listings with open reports' }),
      enquiries: Waiting.meta({ description: 'Enquiries with open reports' }),
      callbacks: Waiting.meta({ description: 'Callbacks that need someone' }),
      disputes: Waiting.meta({ description: 'Disputes that are OPEN' }),
      refunds: Waiting.meta({ description: 'Refunds that are PENDING' }),
      payouts: Waiting.meta({
        description: 'Payouts that await approval, are to be paid by hand, or need a resolution',
      }),
    } satisfies Record<Queue, z.ZodType>),
    payments: z
      .array(PaymentCount)
      .nullable()
      .meta({ description: 'By the day of creation, today first, currency and present status' }),
    signUps: z
      .array(z.object({ date: z.iso.date(), count }).meta({ id: 'OverviewSignUps' }))
      .nullable()
      .meta({ description: 'Each of the days, today first' }),
  })
  .meta({ id: 'Overview' })
export type Overview = z.infer<typeof Overview>

type Deps = { overview: OverviewReader; now: Clock }

/**
 * Reads how much waits in each queue and since when, and the payments and sign-ups of today and the seven UTC days before.
 * The counters follow every change within seconds. It takes sixteen queries, and four for each queue that is not empty.
 */
export async function getOverview({ overview, now }: Deps, roles: readonly ConsoleRole[]): Promise<Overview> {
  const mayRead = (role: ConsoleRole) => roles.includes(role) || roles.includes('auditor')
  const days = shownDays(now())
  const oldestDay = days.at(-1) ?? ''
  const counts = await overview.counts(oldestDay)
  const waiting = await Promise.all(
    Queue.options.map(
      async (queue) =>
        [queue, mayRead(ROLE_OF[queue]) ? await waitingIn(overview, queue, counts) : null] as const,
    ),
  )
  return {
    waiting: z.record(Queue, Waiting).parse(Object.fromEntries(waiting)),
    payments: mayRead('payments') ? paymentsOf(counts).filter(({ date }) => days.includes(date)) : null,
    signUps: mayRead('support') ? days.map((date) => ({ date, count: signUpsOn(date, counts) })) : null,
  }
}

/** The role whose administrators work through each queue. */
const ROLE_OF: Record<Queue, ConsoleRole> = {
  kyc: 'identities',
  listings: 'moderation',
  reports: 'moderation',
  enquiries: 'moderation',
  callbacks: 'payments',
  disputes: 'payments',
  refunds: 'payments',
  payouts: 'payments',
}

async function waitingIn(overview: Deps['overview'], queue: Queue, counts: readonly OverviewCount[]) {
  const found = counts.find(({ counter }) => counter.of === 'waiting' && counter.queue === queue)
  if (!found || found.count <= 0) return { count: 0, oldestAt: null }
  const { items } = await overview.waiting(queue, { limit: 1, after: undefined })
  return { count: found.count, oldestAt: items[0]?.since ?? null }
}

function paymentsOf(counts: readonly OverviewCount[]): NonNullable<Overview['payments']> {
  const found = counts.flatMap(({ counter, count: payments, amount }) => {
    // The counter of a status that its last payment has left stays, at 0.
    if (counter.of !== 'payments' || payments <= 0) return []
    const { date, status } = counter
    const currency = Currency.parse(counter.currency)
    return [{ date, currency, status, count: payments, amount: shownSum(amount) }]
  })
  const order = ({ currency, status }: (typeof found)[number]) => `${currency} ${status}`
  return found.toSorted(
    (one, other) => other.date.localeCompare(one.date) || order(one).localeCompare(order(other)),
  )
}

const signUpsOn = (date: string, counts: readonly OverviewCount[]): number =>
  counts.find(({ counter }) => counter.of === 'signUps' && counter.date === date)?.count ?? 0
