/** The number of listings that spell a name in one way. */
type Spelled<Names> = { names: Names; count: number }

/** Compares texts by code point: the order of their bytes in UTF-8. */
const byCodePoint = (one: string, other: string): number =>
  Buffer.compare(Buffer.from(one), Buffer.from(other))

/**
 * Gathers spellings with the same `keyOf` into one entry. It has the spelling (`nameOf`) of most listings; of equally
 * frequent ones the first by code point.
 */
export function gatherSpellings<Names>(
  spelled: readonly Spelled<Names>[],
  keyOf: (names: Names) => string,
  nameOf: (names: Names) => string,
): Spelled<Names>[] {
  const entries = Map.groupBy(spelled, ({ names }) => keyOf(names))
  return [...entries.values()].flatMap((spellings) => {
    const byName = Map.groupBy(spellings, ({ names }) => nameOf(names))
    const [best] = [...byName.values()].map(sumOf).sort(byCount(nameOf))
    return best ? [{ names: best.names, count: sumOf(spellings).count }] : []
  })
}

const sumOf = <Names>(spellings: readonly Spelled<Names>[]): Spelled<Names> => {
  const [first] = spellings
  if (!first) throw new Error('A spelling without a listing')
  return { names: first.names, count: spellings.reduce((sum, { count }) => sum + count, 0) }
}

/** Compares by the number of listings, most first, then by the first name that differs, in the order of `nameOf`. */
export const byCount =
  <Names>(...nameOf: ((names: Names) => string)[]) =>
  (one: Spelled<Names>, other: Spelled<Names>): number =>
    other.count - one.count ||
    nameOf.reduce((order, name) => order || byCodePoint(name(one.names), name(other.names)), 0)
