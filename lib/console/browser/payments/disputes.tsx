import type { Schema } from '../api/schemas.ts'
import { dateTime, money } from '../parts/format.ts'
import { Id, Section, Status, Time } from '../parts/text.tsx'
import { toneOf } from '../parts/tones.ts'
import { codes, words } from '../words/words.ts'

/** The disputes of a payment, with the time by which the provider wants an answer. */
export const Disputes = ({ of: { disputes, currency } }: { of: Schema<'PaymentInFull'> }) =>
  disputes.length === 0 ? null : (
    <Section title={words.payments.disputes} of={disputes.length}>
      <ol class="history">
        {disputes.map(({ id, state, amount, reason, respondBy, at }) => (
          <li key={id}>
            <Status tone={toneOf(state)}>{codes.disputeState[state]}</Status> <b>{money(amount, currency)}</b>{' '}
            <Time at={at} /> <Id>{id}</Id>
            <p dir="auto">
              {reason}
              {respondBy !== null && <b> {words.payments.respondBy(dateTime(respondBy))}</b>}
            </p>
          </li>
        ))}
      </ol>
    </Section>
  )
