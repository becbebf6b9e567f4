import type { Schema } from '../api/schemas.ts'
import { money } from '../parts/format.ts'
import { Empty } from '../parts/states.tsx'
import { words } from '../words/words.ts'

type Props = { balances: Schema<'TrialBalance'>['items']; payouts: readonly Schema<'Payout'>[] }

/** An agent's balance in each currency, as the agent sees it, and the payouts under way. */
export function AgentBalances({ balances, payouts }: Props) {
  const underWay = payouts.filter(({ status }) => status === 'AWAITING_APPROVAL' || status === 'PENDING')
  const currencies = [...new Set([...balances, ...underWay].map(({ currency }) => currency))]
  if (currencies.length === 0) return <Empty>{words.ledger.nothingOwed}</Empty>
  return (
    <table class="small" aria-label={words.ledger.balances}>
      <thead>
        <tr>
          <th scope="col">{words.payouts.currency}</th>
          <th scope="col" class="number">
            {words.ledger.owed}
          </th>
          <th scope="col" class="number">
            {words.ledger.onItsWay}
          </th>
        </tr>
      </thead>
      <tbody>
        {currencies.map((currency) => {
          // What the platform owes an agent is a credit in the books, below zero.
          const owed = -(balances.find((one) => one.currency === currency)?.balance ?? 0)
          const onItsWay = underWay
            .filter((payout) => payout.currency === currency)
            .reduce((sum, { amount }) => sum + amount, 0)
          return (
            <tr key={currency}>
              <td>{currency}</td>
              <td class="number">
                <b class={owed < 0 ? 'below' : ''}>{money(owed, currency)}</b>
              </td>
              <td class="number">{money(onItsWay, currency)}</td>
            </tr>
          )
        })}
      </tbody>
    </table>
  )
}
