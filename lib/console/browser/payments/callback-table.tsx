import type { Schema } from '../api/schemas.ts'
import { linkTo } from '../app/router.ts'
import { inMoney } from '../parts/format.ts'
import { Status, Time } from '../parts/text.tsx'
import { toneOf } from '../parts/tones.ts'
import { codes, words } from '../words/words.ts'

/** The callbacks of one payment, each leading to its page. */
export const CallbackTable = ({ items }: { items: readonly Schema<'Callback'>[] }) =>
  items.length === 0 ? null : (
    <table class="small cards" aria-label={words.payments.callbacks}>
      <thead>
        <tr>
          <th scope="col">{words.callbacks.type}</th>
          <th scope="col">{words.common.status}</th>
          <th scope="col">{words.callbacks.received}</th>
          <th scope="col">{words.callbacks.detail}</th>
        </tr>
      </thead>
      <tbody>
        {items.map(({ id, type, status, receivedAt, detail }) => (
          <tr key={id}>
            <td dir="auto">
              <a href={linkTo('callbacks', id)}>{type}</a>
            </td>
            <td>
              <Status tone={toneOf(status)}>{codes.callbackStatus[status]}</Status>
            </td>
            <td>
              <Time at={receivedAt} />
            </td>
            <td dir="auto">{detail && inMoney(detail)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
