import * as z from 'zod'
import { onTable, type Table } from '#lib/dynamo/table'
import { secondsAfter, Timestamp } from '#lib/kernel/clock'
import { WriteConflict } from '#lib/kernel/write'
import { budgetKey, patienceKey } from '#lib/payments/payment.keys'
import type { Patience, Pause } from './patience.ts'

const StoredPause = z.object({
  failures: z.int().min(0),
  pauses: z.int().min(0).default(0),
  until: Timestamp.nullable().default(null),
})

/** Longer than any minute is counted in. */
const BUDGET_SECONDS = 60 * 60

const KIND = { kind: 'provider-pause' }

/** How accounts stand, in the one table. */
export const openPatience = (table: Table): Patience => ({
  of: async (provider) => StoredPause.parse((await table.get(patienceKey(provider))) ?? { failures: 0 }),
  countFailure: async (provider) =>
    StoredPause.parse(await table.increment(patienceKey(provider), { failures: 1 }, KIND)),
  pause: (provider, seen, next) =>
    unlessPaused(table.commit([{ update: patienceKey(provider), set: next, when: asSeen(seen) }])),
  forgive: (provider, seen) =>
    unlessPaused(table.commit([{ remove: patienceKey(provider), when: asSeen(seen) }])),
  count: async (provider, budget, now, more = 1) => {
    const minute = now.toISOString().slice(0, 'yyyy-mm-ddThh:mm'.length)
    const expiresAtSeconds = Math.floor(secondsAfter(now, BUDGET_SECONDS).getTime() / 1000)
    const words = { kind: 'provider-budget', expiresAtSeconds }
    const item = await table.increment(budgetKey(provider, minute), { [budget]: more }, words)
    return z.int().parse(item[budget])
  },
})

const asSeen = ({ until }: Pause) => ({ equals: { until: until ?? undefined } })

/** Another function's pause stays. */
const unlessPaused = (write: Promise<unknown>): Promise<void> =>
  write.then(
    () => undefined,
    (error: unknown) => {
      if (!(error instanceof WriteConflict)) throw error
    },
  )

/** The function's patience. */
export const patience = onTable(openPatience)
