import type { ComponentChildren } from 'preact'
import type { Schema } from '../api/schemas.ts'
import { money } from '../parts/format.ts'
import { Status, Time } from '../parts/text.tsx'
import { toneOf } from '../parts/tones.ts'
import { codes, words } from '../words/words.ts'
import { chargeName } from './charge-name.ts'
import { disputeCurrency } from './dispute-currency.ts'

type Entry = { at: string; key: string; text: ComponentChildren }

/** Everything known of a payment in the order of its time: its states, charges, refunds, disputes and callbacks. */
export const Timeline = ({ of }: { of: Schema<'PaymentInFull'> }) => (
  <ol class="timeline">
    {entriesOf(of).map(({ at, key, text }) => (
      <li key={key}>
        <Time at={at} />
        <span dir="auto">{text}</span>
      </li>
    ))}
  </ol>
)

function entriesOf(payment: Schema<'PaymentInFull'>): Entry[] {
  const { events, charges, refunds, disputes, callbacks } = payment
  const entries: Entry[] = [
    ...events.map(({ type, status, at }, index) => ({
      at,
      key: `event ${index}`,
      text: (
        <>
          <Status tone={toneOf(status)}>{codes.paymentStatus[status]}</Status>{' '}
          <span class="quiet">{type}</span>
        </>
      ),
    })),
    ...charges.map((charge, index) => ({
      at: charge.at,
      key: `charge ${index}`,
      text: (
        <>
          <b>{chargeName(charges, charge)}</b>{' '}
          <Status tone={toneOf(charge.state)}>{codes.chargeState[charge.state]}</Status>
        </>
      ),
    })),
    ...refunds.map(({ id, createdAt, amount, currency, status }) => ({
      at: createdAt,
      key: id,
      text: (
        <>
          {words.payments.refunds}: <b>{money(amount, currency)}</b> {codes.refundStatus[status]}
        </>
      ),
    })),
    ...disputes.map((dispute) => ({
      at: dispute.at,
      key: dispute.id,
      text: (
        <>
          {words.payments.disputes}: <b>{money(dispute.amount, disputeCurrency(payment, dispute))}</b>{' '}
          {codes.disputeState[dispute.state]}
        </>
      ),
    })),
    ...callbacks.map(({ id, receivedAt, type, status }) => ({
      at: receivedAt,
      key: id,
      text: (
        <>
          {words.payments.callbacks}: {type} <span class="quiet">{codes.callbackStatus[status]}</span>
        </>
      ),
    })),
  ]
  return entries.sort((a, b) => a.at.localeCompare(b.at))
}
