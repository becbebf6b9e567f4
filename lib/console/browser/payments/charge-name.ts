import type { Schema } from '../api/schemas.ts'
import { dateTime, hour, money } from '../parts/format.ts'
import { words } from '../words/words.ts'

type Charge = Schema<'Charge'>

const dayOf = ({ at }: Charge): string => new Date(at).toDateString()

/** Returns a name of a charge among those of its payment, such as `2nd charge, 18:30, XOF 45,000`. */
export function chargeName(charges: readonly Charge[], charge: Charge): string {
  const isOneDay = new Set(charges.map(dayOf)).size === 1
  return [
    words.payments.charge(charges.indexOf(charge) + 1),
    isOneDay ? hour(charge.at) : dateTime(charge.at),
    money(charge.amount, charge.currency),
  ].join(', ')
}
