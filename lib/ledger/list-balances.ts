import * as z from 'zod'
import type { Journal } from '#lib/journal/journal'
import { type Clock, timestamp } from '#lib/kernel/clock'
import { invalidField } from '#lib/kernel/domain-error'
import { type NewId, UserId } from '#lib/kernel/id'
import { Currency, shownSum } from '#lib/kernel/money'
import type { AgentAccountReader } from './agent-accounts.ts'
import { closedBalances } from './close-ledger.ts'
import { journalReading } from './journal-reading.ts'
import { Day, dayAfter } from './span.ts'
import { AccountName, type AccountSum, type BookReader } from './transaction.ts'

type Deps = {
  books: BookReader
  journal: Journal
  now: Clock
  newId: NewId
}

/** Which balances an administrator wants to see. */
export const BalancesQuery = z.object({
  at: Day.optional().meta({ description: 'The end of this UTC day; now, where it is left out' }),
  account: AccountName.optional(),
})

/** The trial balance: each currency adds up to nothing over all accounts. */
export const TrialBalance = z
  .object({
    items: z.array(
      z.object({
        account: z.string().meta({ example: 'provider:stripe' }),
        currency: Currency,
        balance: z.int().meta({ example: 150_000 }),
      }),
    ),
  })
  .meta({ id: 'TrialBalance' })

/**
 * Returns the balances of one account, or of all accounts: those of all agents are added up as `agents`. Debits are positive.
 * The journal records the reading. Throws `validation_failed` for a future day.
 */
export async function listBalances(
  deps: Deps & { agentAccounts: AgentAccountReader },
  administrator: string,
  { at, account: name }: z.infer<typeof BalancesQuery>,
): Promise<z.infer<typeof TrialBalance>> {
  const today = timestamp(deps.now()).slice(0, 10)
  if (at !== undefined && at > today) throw invalidField('at', 'must not be in the future')
  const sums = name?.startsWith('agent:')
    ? await agentBalances(deps, name, at)
    : (await closedBalances(deps.books, at ?? today)).filter((each) => !name || each.account === name)
  await journalReading(deps, administrator, { at, account: name })
  const order = ({ account, currency }: AccountSum) => `${account} ${currency}`
  const items = sums
    .toSorted((one, other) => (order(one) < order(other) ? -1 : 1))
    .map(({ amount, ...sum }) => ({ ...sum, balance: shownSum(amount) }))
  return { items }
}

/** Reads an agent's balances from their statement: what the platform owes is a credit. */
async function agentBalances(
  { agentAccounts }: { agentAccounts: AgentAccountReader },
  name: string,
  at: string | undefined,
): Promise<AccountSum[]> {
  const agentId = UserId.safeParse(name.slice('agent:'.length)).data
  if (!agentId) return []
  const accounts = await agentAccounts.ofAgent(agentId)
  const sums = await Promise.all(
    accounts.map(async ({ currency, balance }): Promise<AccountSum> => {
      if (at === undefined) return { account: name, currency, amount: -balance }
      // Newest first: the one entry that is read holds the balance at the end of the day.
      const untilThen = { from: '', to: dayAfter(at), limit: 1, after: undefined }
      const [last] = (await agentAccounts.statement({ agentId, currency }, untilThen)).items
      return { account: name, currency, amount: -(last?.balance ?? 0n) }
    }),
  )
  return sums.filter(({ amount }) => amount !== 0n)
}
