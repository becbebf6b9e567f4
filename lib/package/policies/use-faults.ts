import type { Dependency, Uses } from '#lib/config/config'
import { type Pair, pairOf } from './requests.ts'

/** A function with what its dependencies declare, and what it sent in the tests. */
export type ProvenFunction = {
  name: string
  uses: Uses
  dependencies: readonly Dependency<unknown>[]
  sent: ReadonlySet<Pair>
}

/** Returns a line for each pair of place and action that a function sent undeclared, or declares and never sent. */
export function useFaults({ name, uses, dependencies, sent }: ProvenFunction): string[] {
  const declared = pairsIn(uses)
  const excused = new Set(
    dependencies.flatMap(({ usesTestedElsewhere }) =>
      usesTestedElsewhere ? pairsIn(usesTestedElsewhere.uses) : [],
    ),
  )
  return [
    ...[...sent].filter((pair) => !declared.includes(pair)).map((pair) => `${name} does not declare ${pair}`),
    ...declared
      .filter((pair) => !sent.has(pair) && !excused.has(pair))
      .map((pair) => `${name} declares ${pair}, and never does it`),
  ]
}

/** Returns a line for each reason in `usesTestedElsewhere` that no function needs: the tests showed all of its uses. */
export function unneededReasonFaults(functions: readonly ProvenFunction[]): string[] {
  const excused = functions.flatMap(({ uses, dependencies, sent }) =>
    dependencies.flatMap(({ usesTestedElsewhere }) => {
      if (usesTestedElsewhere === undefined) return []
      const declared = pairsIn(uses)
      const isNeeded = pairsIn(usesTestedElsewhere.uses).some(
        (pair) => declared.includes(pair) && !sent.has(pair),
      )
      return [{ because: usesTestedElsewhere.because, isNeeded }]
    }),
  )
  return [...Map.groupBy(excused, ({ because }) => because)]
    .filter(([, among]) => !among.some(({ isNeeded }) => isNeeded))
    .map(([because]) => `No function needs the reason “${because}”`)
}

/** Whether a place is a name of `custom.grants`, such as `eventBus`: a service that the tests do not run. */
const isGrant = (place: string): boolean => /^[a-z]\w+$/.test(place)

const pairsIn = (uses: Uses): Pair[] =>
  Object.entries(uses).flatMap(([place, actions]) =>
    isGrant(place) ? [] : actions.map((action) => pairOf(place, action)),
  )
