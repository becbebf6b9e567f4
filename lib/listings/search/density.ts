import { curveKm2, digitsAt } from './cell.ts'
import { cover, type Stretch } from './cover.ts'
import { type Place, remember } from './place.ts'
import { digitsOfOrder, placeRange, startOfCell } from './search.keys.ts'
import type { Point } from './sphere.ts'

/** How many neighbours on the curve are looked at, either way: fewer say little, more lie too far to be answered. */
const PROBED = 8

/** How finely the circle is covered to find the stretch around its middle: parts of its radius. */
const GRAIN = 4

/** By so many listings what was known before weighs against what a ring says. */
const PRIOR = 3

/**
 * About how many listings of a list lie on a square kilometre around a point, by how far its nearest neighbours
 * on the curve are, within a circle. Two queries. No more than a guess, which only decides how wide the first ring
 * is; what they read is known, and not read again.
 */
export async function estimateDensity(place: Place, origin: Point, radiusKm: number): Promise<number> {
  const digits = digitsAt(origin)
  const home = stretchAround(digits, origin, radiusKm)
  const [lowest, highest] = placeRange(home.from, home.to)
  const ask = { partition: place.partitionOf(digits), limit: PROBED }
  place.budget.queries -= 2
  const [before, behind] = await Promise.all([
    place.index.read({ ...ask, descending: true, between: [lowest, startOfCell(digits)] }),
    place.index.read({ ...ask, descending: false, between: [startOfCell(digits), highest] }),
  ])
  const end = ({ found, isEnd }: typeof before, edge: string) => (!isEnd && found.at(-1)?.order) || edge
  const [from, to] = [end(before, lowest), end(behind, highest)]
  const asked = remember(place, [...before.found, ...behind.found])
  place.known.ranges.push([from, to])
  return Math.max(asked.length, 0.5) / Math.max(curveKm2(digitsOfOrder(from), digitsOfOrder(to)), 1e-6)
}

function stretchAround(digits: string, origin: Point, radiusKm: number): Stretch {
  for (const stretch of cover({ origin, innerKm: 0, outerKm: radiusKm }, radiusKm / GRAIN)) {
    if (stretch.from <= digits && digits <= stretch.to) return stretch
  }
  return { from: digits, to: digits }
}

/** What a ring says of the next; a single crowded house does not make a whole region crowded. */
export function densityAfter(
  perKm2: number,
  { innerKm, outerKm }: { innerKm: number; outerKm: number },
  { inRing, before }: { inRing: number; before: number },
): number {
  const ringKm2 = Math.PI * (outerKm ** 2 - innerKm ** 2)
  if (ringKm2 < 1e-9) return perKm2
  const everywhere = (before + inRing + 1) / (Math.PI * outerKm ** 2)
  return Math.min((inRing + PRIOR) / (ringKm2 + PRIOR / perKm2), everywhere * 8)
}
