import * as z from 'zod'
import type { Clock } from '#lib/kernel/clock'
import type { UserId } from '#lib/kernel/id'
import { Currency, shownSum } from '#lib/kernel/money'
import { type AgentAccountReader, pendingOf } from '#lib/ledger/agent-accounts'
import { isOnItsWay } from './payout.ts'
import type { PayoutSettings } from './payout-settings.ts'
import type { PayoutReader } from './payout-store.ts'

/** The agent's balance, by currency. */
export const BalanceView = z
  .object({
    items: z.array(
      z.object({
        currency: Currency,
        pending: z.int().meta({
          example: 0,
          description: 'Held back: of new payments, of open disputes and of pending refunds',
        }),
        available: z.int().meta({
          description: 'Can be paid out; below nothing, later payments fill it',
          example: 150_000,
        }),
        onItsWay: z
          .int()
          .min(0)
          .meta({ description: 'In payouts that await approval or are being paid', example: 0 }),
      }),
    ),
  })
  .meta({ id: 'Balance' })

/** The dependencies for reading a balance. */
export type BalanceDeps = {
  agentAccounts: AgentAccountReader
  payouts: PayoutReader
  payoutSettings: Pick<PayoutSettings, 'delayDays'>
  now: Clock
}

/** Returns an agent's balance in each currency that they were ever owed. */
export async function getBalance(
  { agentAccounts, payouts, payoutSettings, now }: BalanceDeps,
  agentId: UserId,
): Promise<z.infer<typeof BalanceView>> {
  const [accounts, underWay] = await Promise.all([agentAccounts.ofAgent(agentId), payouts.underWay(agentId)])
  const items = await Promise.all(
    accounts.map(async ({ currency, balance }) => {
      const held = await agentAccounts.heldPayments(agentId, currency)
      const pending = pendingOf(held, now(), payoutSettings.delayDays)
      // A payout listed as under way may have ended while the list was read.
      const onItsWay = underWay
        .filter((payout) => payout.currency === currency && isOnItsWay(payout))
        .reduce((sum, { amount }) => sum + amount, 0)
      // A payout leaves the balance when it is made, so `onItsWay` is not subtracted.
      return {
        currency,
        pending: shownSum(pending),
        available: shownSum(balance - pending),
        onItsWay: shownSum(onItsWay),
      }
    }),
  )
  return { items: items.toSorted((one, other) => (one.currency < other.currency ? -1 : 1)) }
}
