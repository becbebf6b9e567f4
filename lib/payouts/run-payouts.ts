import * as z from 'zod'
import { newAction } from '#lib/journal/journal'
import { DomainError } from '#lib/kernel/domain-error'
import type { UserId } from '#lib/kernel/id'
import { Amount, Currency } from '#lib/kernel/money'
import { allPages, PAGE_SIZE } from '#lib/kernel/page'
import { inParallel } from '#lib/kernel/parallel'
import { type AgentAccountReader, availableOf } from '#lib/ledger/agent-accounts'
import { type CreatePayoutDeps, createPayout } from './create-payout.ts'

/** A run of payouts in a currency: one for each agent with at least `minimum` available. */
export const PayoutRun = z.object({ currency: Currency, minimum: Amount })

/** The number of payouts of a run, and of agents who have at least `minimum` available but could not be paid. */
export const PayoutRunResult = z
  .object({ created: z.int().min(0), skipped: z.int().min(0) })
  .meta({ id: 'PayoutRun' })

const PARALLEL = 10

/**
 * Pays out the whole available balance to every VERIFIED agent with a usable account and at least `minimum` available. A
 * second run finds nothing left. Agents who cannot be paid are counted and passed over.
 */
export async function runPayouts(
  deps: CreatePayoutDeps & { agentAccounts: AgentAccountReader },
  administrator: string,
  { currency, minimum }: z.infer<typeof PayoutRun>,
): Promise<z.infer<typeof PayoutRunResult>> {
  const agents = await allPages((after: UserId | undefined) =>
    deps.agentAccounts.inCurrency(currency, { limit: PAGE_SIZE, after }),
  )
  const ends = await inParallel(
    agents,
    async (agentId) => {
      const [seen, held] = await Promise.all([
        deps.agentAccounts.get(agentId, currency),
        deps.agentAccounts.heldPayments(agentId, currency),
      ])
      if (availableOf(seen, held, deps.now(), deps.payoutSettings.delayDays) < minimum) return 'too little'
      try {
        await createPayout(deps, administrator, { agentId, currency })
        return 'created'
      } catch (error) {
        if (!(error instanceof DomainError)) throw error
        return 'skipped'
      }
    },
    { width: PARALLEL },
  )
  const count = (end: (typeof ends)[number]) => ends.filter((each) => each === end).length
  const result = { created: count('created'), skipped: count('skipped') }
  const action = { by: administrator, subject: currency, action: 'payouts.run' as const }
  await deps.payouts.commit([
    deps.journal.record(newAction(deps.newId, { ...action, details: { minimum, ...result } })),
  ])
  return result
}
