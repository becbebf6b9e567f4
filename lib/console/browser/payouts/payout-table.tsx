import type { Schema } from '../api/schemas.ts'
import { linkTo } from '../app/router.ts'
import { money } from '../parts/format.ts'
import { Status, Time } from '../parts/text.tsx'
import { toneOf } from '../parts/tones.ts'
import { codes, words } from '../words/words.ts'

/** The payouts of one agent, each leading to its page. */
export const PayoutTable = ({ items }: { items: readonly Schema<'Payout'>[] }) =>
  items.length === 0 ? (
    <p class="empty">{words.payouts.none}</p>
  ) : (
    <table class="small cards" aria-label={words.nav.payouts}>
      <thead>
        <tr>
          <th scope="col">{words.payments.amount}</th>
          <th scope="col">{words.common.status}</th>
          <th scope="col">{words.payouts.reference}</th>
          <th scope="col">{words.payments.created}</th>
        </tr>
      </thead>
      <tbody>
        {items.map(({ id, amount, currency, status, reference, createdAt }) => (
          <tr key={id}>
            <td>
              <a href={linkTo('payouts', id)}>{money(amount, currency)}</a>
            </td>
            <td>
              <Status tone={toneOf(status)}>{codes.payoutStatus[status]}</Status>
            </td>
            <td dir="auto">{reference}</td>
            <td>
              <Time at={createdAt} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
