import type { Schema } from '../api/schemas.ts'
import { money } from '../parts/format.ts'
import { Id, Section, Status } from '../parts/text.tsx'
import { toneOf } from '../parts/tones.ts'
import { codes, words } from '../words/words.ts'
import { chargeName } from './charge-name.ts'

/** The charges of a payment, each with its state, its fee, and what of it was refunded or is disputed. */
export const ChargeList = ({ of: { charges } }: { of: Schema<'PaymentInFull'> }) =>
  charges.length === 0 ? null : (
    <Section title={words.payments.charges} of={charges.length}>
      <ol class="history">
        {charges.map((charge) => {
          const { id, state, amountRefunded, amountDisputed, fee, currency } = charge
          const parts = [
            amountRefunded > 0 && `${words.payments.refunded}: ${money(amountRefunded, currency)}`,
            amountDisputed > 0 && `${words.payments.disputed}: ${money(amountDisputed, currency)}`,
            fee !== null && `${words.payments.fee}: ${money(fee.amount, fee.currency)}`,
          ]
          return (
            <li key={id ?? charge.at}>
              <b>{chargeName(charges, charge)}</b>{' '}
              <Status tone={toneOf(state)}>{codes.chargeState[state]}</Status>
              <Id>{id ?? words.payments.unnamed}</Id>
              <p class="quiet">{parts.filter(Boolean).join(' · ')}</p>
            </li>
          )
        })}
      </ol>
    </Section>
  )
