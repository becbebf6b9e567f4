import type { Timestamp } from '#lib/kernel/clock'
import { type Asked, chargesOf, isOf } from './charge.ts'
import { type FactOf, factsOf, latest } from './fact.ts'

/** How one dispute stands. */
export type Dispute = {
  id: string
  /** How much is disputed, in minor units of the charge's currency. */
  amount: number
  state: FactOf<'dispute'>['state']
  chargeId: string | null
  reason: string | null
  respondBy: Timestamp | null
  /** The time of the provider's latest word. */
  at: Timestamp
}

/** Of two words with the same time the later in this list counts. */
const STATES: readonly Dispute['state'][] = ['inquiry', 'open', 'won', 'lost']

/** The disputes of a payment, by id. Each stands as its provider said of it last, by stage or the provider's own time. */
export function disputesOf(payment: Asked): Dispute[] {
  const groups = Map.groupBy(factsOf(payment.facts, 'dispute'), ({ disputeId }) => disputeId)
  const disputes = [...groups].flatMap(([id, said]) => toDispute(payment, id, said))
  return disputes
    .flatMap((dispute) => beside(dispute, disputes))
    .toSorted((one, other) => (one.id < other.id ? -1 : 1))
}

/**
 * A dispute beside the others of its charge. One with its charge's id has none of its own: the provider does not say for
 * which dispute it took money back (PayPal's reversals), or has not named it yet (Mercado Pago's mediations). It ends
 * with the first named dispute, and what the named ones take is the same money: it counts once.
 */
function beside(dispute: Dispute, disputes: readonly Dispute[]): Dispute[] {
  const { id, chargeId, state } = dispute
  const named = disputes.filter((each) => each.id !== id && each.chargeId === id && each.state !== 'inquiry')
  if (id !== chargeId || named.length === 0) return [dispute]
  const taken = named.filter(takesMoney).reduce((total, { amount }) => total + amount, 0)
  return state === 'open' ? [] : [{ ...dispute, amount: Math.max(0, dispute.amount - taken) }]
}

function toDispute(payment: Asked, id: string, said: FactOf<'dispute'>[]): Dispute[] {
  const stage = Math.max(...said.map(stageOf))
  const word = latest(
    said.filter((fact) => stageOf(fact) === stage),
    ({ state }) => STATES.indexOf(state),
  )
  if (!word) return []
  const told = <Value>(of: (fact: FactOf<'dispute'>) => Value | null | undefined): Value | null =>
    of(word) ?? said.map(of).find((value) => value != null) ?? null
  const chargeId = told((fact) => fact.chargeId)
  const amount = told((fact) => fact.money)?.amount ?? wholeOf(payment, chargeId)
  const { state, at } = word
  return [
    {
      id,
      amount,
      state,
      chargeId,
      reason: told((fact) => fact.reason),
      respondBy: told((fact) => fact.respondBy),
      at,
    },
  ]
}

const stageOf = ({ stage = 0 }: FactOf<'dispute'>): number => stage

/** The sum of the charge that a dispute is about, for providers that do not say how much is disputed. */
function wholeOf(payment: Asked, chargeId: string | null): number {
  const charges = chargesOf(payment)
  return charges.find((charge) => isOf(charge, charges, chargeId))?.money.amount ?? payment.amount
}

/** Whether a dispute holds or has taken money. An inquiry does not. */
export const takesMoney = ({ state }: Dispute): boolean => state === 'open' || state === 'lost'
