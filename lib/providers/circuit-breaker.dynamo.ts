import * as z from 'zod'
import { onTable, type Table } from '#lib/dynamo/table'
import { HOUR_SECONDS, secondsAfter, Timestamp, unixSeconds } from '#lib/kernel/clock'
import { WriteConflict } from '#lib/kernel/write'
import { type Circuit, type CircuitBreaker, CLOSED } from './circuit-breaker.ts'
import { budgetKey, circuitBreakerKey } from './provider.keys.ts'

const StoredCircuit = z.object({
  failures: z.int().min(0),
  openings: z.int().min(0),
  until: Timestamp.nullable(),
})

/** The table removes the counts of a minute, one for each budget of calls, after this time. */
const BUDGET_SECONDS = HOUR_SECONDS

const KIND = { kind: 'provider-circuit' }

/** Opens the circuits of provider accounts in the one table. */
export const openCircuitBreaker = (table: Table): CircuitBreaker => ({
  of: async (provider) =>
    StoredCircuit.parse({ ...CLOSED, ...(await table.get(circuitBreakerKey(provider))) }),
  countFailure: async (provider) =>
    StoredCircuit.parse({
      ...CLOSED,
      ...(await table.increment(circuitBreakerKey(provider), { failures: 1 }, KIND)),
    }),
  open: (provider, seen, next) =>
    unlessChanged(
      table.commit([table.update(circuitBreakerKey(provider), { set: next, when: asSeen(seen) })]),
    ),
  close: (provider, seen) =>
    unlessChanged(table.commit([table.remove(circuitBreakerKey(provider), { when: asSeen(seen) })])),
  count: async (provider, budget, now, calls = 1) => {
    const minute = now.toISOString().slice(0, 'yyyy-mm-ddThh:mm'.length)
    const expiresAtSeconds = unixSeconds(secondsAfter(now, BUDGET_SECONDS))
    const attributes = { kind: 'provider-budget', expiresAtSeconds }
    // The item of a minute has a count for each budget.
    const item = await table.increment(budgetKey(provider, minute), { [budget]: calls }, attributes)
    return z.int().parse(item[budget])
  },
})

/** Requires the `until` that was read; undefined requires that the table has none, as before the first opening. */
const asSeen = ({ until }: Circuit) => ({ equals: { until: until ?? undefined } })

/** Waits for a write. Where another function has stored a change meanwhile, that change stays. */
const unlessChanged = (write: Promise<unknown>): Promise<void> =>
  write.then(
    () => undefined,
    (error: unknown) => {
      if (!(error instanceof WriteConflict)) throw error
    },
  )

/** The circuit breaker, as a dependency of functions. */
export const circuitBreaker = onTable(openCircuitBreaker, { reads: ['PROVIDER'], writes: ['PROVIDER'] })
