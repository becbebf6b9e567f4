import type { Schema } from '../api/schemas.ts'
import { dateTime, hour, money } from '../parts/format.ts'
import { words } from '../words/words.ts'

type Charge = Schema<'Charge'>

const dayOf = ({ at }: Charge): string => new Date(at).toDateString()

/** A charge as people tell it from the others of its payment: which it is, when and how much, as `2nd charge, 18:30, XOF 45,000`. */
export function chargeName(charges: readonly Charge[], charge: Charge): string {
  const isOneDay = new Set(charges.map(dayOf)).size === 1
  return [
    words.payments.charge(charges.indexOf(charge) + 1),
    isOneDay ? hour(charge.at) : dateTime(charge.at),
    money(charge.amount, charge.currency),
  ].join(', ')
}
