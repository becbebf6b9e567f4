import type { Timestamp } from '#lib/kernel/clock'
import type { Money } from '#lib/kernel/money'
import { type Fact, type FactOf, factsOf, latest } from './fact.ts'

/** A dispute as its provider stated it last: by stage, within a stage by the provider's own time. */
export type StatedDispute = {
  id: string
  /** The disputed sum; null where the provider does not say. */
  money: Money | null
  state: FactOf<'dispute'>['state']
  chargeId: string | null
  reason: string | null
  respondBy: Timestamp | null
  /** The time of the provider's latest statement. */
  at: Timestamp
}

/** The states of a dispute, in answers and events. */
export const SHOWN_STATES = { inquiry: 'INQUIRY', open: 'OPEN', won: 'WON', lost: 'LOST' } as const

/** Of two statements of the same time, the one whose state is later in this list counts. */
const STATES: readonly StatedDispute['state'][] = ['inquiry', 'open', 'won', 'lost']

/** Returns the disputes of a payment, by id. */
export const statedDisputes = (facts: readonly Fact[]): StatedDispute[] =>
  [...Map.groupBy(factsOf(facts, 'dispute'), ({ disputeId }) => disputeId)]
    .flatMap(([id, stated]) => toDispute(id, stated))
    .toSorted((one, other) => (one.id < other.id ? -1 : 1))

function toDispute(id: string, stated: FactOf<'dispute'>[]): StatedDispute[] {
  const stage = Math.max(...stated.map(stageOf))
  const rankOf = ({ state }: FactOf<'dispute'>) => STATES.indexOf(state)
  const last = latest(
    stated.filter((fact) => stageOf(fact) === stage),
    rankOf,
  )
  if (!last) return []
  // A value that the last statement leaves out is that of the latest statement with one, of any stage.
  const lastKnown = <Value>(of: (fact: FactOf<'dispute'>) => Value | null | undefined): Value | null => {
    const withValue = stated.filter((fact) => of(fact) != null)
    const source = withValue.includes(last) ? last : latest(withValue, rankOf)
    return (source && of(source)) ?? null
  }
  return [
    {
      id,
      money: lastKnown((fact) => fact.money),
      state: last.state,
      chargeId: lastKnown((fact) => fact.chargeId),
      reason: lastKnown((fact) => fact.reason),
      respondBy: lastKnown((fact) => fact.respondBy),
      at: last.at,
    },
  ]
}

/** Some providers number the rounds of a dispute: a statement of a later round counts, whatever its time. */
const stageOf = ({ stage = 0 }: FactOf<'dispute'>): number => stage

/** Whether a dispute holds or has taken money. An inquiry does not. */
export const takesMoney = ({ state }: Pick<StatedDispute, 'state'>): boolean =>
  state === 'open' || state === 'lost'
