import type { Schema } from '../api/schemas.ts'
import { dateTime, money } from '../parts/format.ts'
import { Id, Section, Status, Time } from '../parts/text.tsx'
import { toneOf } from '../parts/tones.ts'
import { codes, words } from '../words/words.ts'
import { disputeCurrency } from './dispute-currency.ts'

/** The disputes of a payment, with the time by which the provider wants an answer. */
export const Disputes = ({ of: payment }: { of: Schema<'PaymentInFull'> }) =>
  payment.disputes.length === 0 ? null : (
    <Section title={words.payments.disputes} of={payment.disputes.length}>
      <ol class="history">
        {payment.disputes.map(({ id, chargeId, state, amount, reason, respondBy, at }) => (
          <li key={id}>
            <Status tone={toneOf(state)}>{codes.disputeState[state]}</Status>{' '}
            <b>{money(amount, disputeCurrency(payment, { chargeId }))}</b> <Time at={at} /> <Id>{id}</Id>
            <p dir="auto">
              {reason}
              {respondBy !== null && <b> {words.payments.respondBy(dateTime(respondBy))}</b>}
            </p>
          </li>
        ))}
      </ol>
    </Section>
  )
