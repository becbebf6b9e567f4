import type { Schema } from '../api/schemas.ts'
import { AccountLink } from '../ledger/account-link.tsx'
import { reasonText } from '../ledger/reason-text.ts'
import { money } from '../parts/format.ts'
import { Section, Time } from '../parts/text.tsx'
import { words } from '../words/words.ts'

/** The ledger's entries of a payment. */
export const Ledger = ({ of }: { of: readonly Schema<'LedgerEntry'>[] }) => (
  <Section title={words.payments.ledger} of={of.length}>
    {of.length > 0 && (
      <table class="small cards" aria-label={words.payments.ledger}>
        <thead>
          <tr>
            <th scope="col">{words.payments.account}</th>
            <th scope="col" class="number">
              {words.payments.amount}
            </th>
            <th scope="col">{words.payments.reason}</th>
            <th scope="col">{words.journal.at}</th>
          </tr>
        </thead>
        <tbody>
          {of.map(({ account, amount, currency, at, reason }) => (
            <tr key={`${account} ${at} ${reason} ${amount}`}>
              <td>
                <AccountLink name={account} />
              </td>
              <td class="number">{money(amount, currency)}</td>
              <td>{reasonText(reason)}</td>
              <td>
                <Time at={at} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    )}
  </Section>
)
