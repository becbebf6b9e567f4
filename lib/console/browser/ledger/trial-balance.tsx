import type { Schema } from '../api/schemas.ts'
import { moneyAlone } from '../parts/format.ts'
import { Empty } from '../parts/states.tsx'
import { words } from '../words/words.ts'
import { AccountLink } from './account-link.tsx'

type Item = Schema<'TrialBalance'>['items'][number]

const sumOf = (items: readonly Item[]): number => items.reduce((sum, { balance }) => sum + balance, 0)

/** Every account's balance by currency. Over all accounts, the debits equal the credits. */
export const TrialBalance = ({ items }: { items: readonly Item[] }) =>
  items.length === 0 ? (
    <Empty>{words.ledger.noBalances}</Empty>
  ) : (
    <div class="balances">
      {[...Map.groupBy(items, ({ currency }) => currency)].map(([currency, rows]) => (
        <OneCurrency key={currency} currency={currency} rows={rows} />
      ))}
    </div>
  )

const OneCurrency = ({ currency, rows }: { currency: string; rows: readonly Item[] }) => {
  const debits = rows.filter(({ balance }) => balance > 0)
  const credits = rows.filter(({ balance }) => balance < 0)
  return (
    <table class="small" aria-label={`${words.ledger.trialBalance}: ${currency}`}>
      <thead>
        <tr>
          <th scope="col">{currency}</th>
          <th scope="col" class="number">
            {words.ledger.debit}
          </th>
          <th scope="col" class="number">
            {words.ledger.credit}
          </th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ account, balance }) => (
          <tr key={account}>
            <td>
              <AccountLink name={account} />
            </td>
            <td class="number">{balance > 0 && moneyAlone(balance, currency)}</td>
            <td class="number">{balance < 0 && moneyAlone(-balance, currency)}</td>
          </tr>
        ))}
      </tbody>
      <tfoot>
        <tr>
          <th scope="row">{words.ledger.sum}</th>
          <td class="number">{moneyAlone(sumOf(debits), currency)}</td>
          <td class="number">{moneyAlone(-sumOf(credits), currency)}</td>
        </tr>
      </tfoot>
    </table>
  )
}
