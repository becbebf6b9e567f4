import * as z from 'zod'
import { onTable, type Table } from '#lib/dynamo/table'
import { secondsAfter, Timestamp } from '#lib/kernel/clock'
import { budgetKey, patienceKey } from '#lib/payments/payment.keys'
import type { Patience } from './patience.ts'

const StoredPause = z.object({ failures: z.int().min(0), until: Timestamp.nullable() })
const Budget = z.object({ questions: z.int() })

/** Longer than any minute is counted in. */
const BUDGET_SECONDS = 60 * 60

/** How accounts stand, in the one table. Two writers at once may lose a count: it bounds questions, not money. */
export const openPatience = (table: Table): Patience => ({
  of: async (provider) => {
    const item = await table.get(patienceKey(provider))
    return item ? StoredPause.parse(item) : { failures: 0, until: null }
  },
  put: (provider, pause) =>
    table.commit([{ put: { ...patienceKey(provider), kind: 'provider-pause', ...pause } }]),
  countQuestion: async (provider, now) => {
    const minute = now.toISOString().slice(0, 'yyyy-mm-ddThh:mm'.length)
    const expiresAtSeconds = Math.floor(secondsAfter(now, BUDGET_SECONDS).getTime() / 1000)
    const words = { kind: 'provider-budget', expiresAtSeconds }
    return Budget.parse(await table.increment(budgetKey(provider, minute), { questions: 1 }, words)).questions
  },
})

/** The function's patience. */
export const patience = onTable(openPatience)
