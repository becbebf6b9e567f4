import { curveKm2, digitsAt } from './cell.ts'
import { cover, type Stretch } from './cover.ts'
import { type Place, remember } from './place.ts'
import { digitsOfOrder, placeRange, startOfCell } from './search.keys.ts'
import type { Point } from './sphere.ts'

/** How many neighbours on the curve are read on either side. Fewer say little; more are too far away for a page. */
const PROBED = 8

/** The cells that cover the circle have this part of its radius. */
const GRAIN = 4

/** The weight of the earlier estimate against a ring's, in listings. */
const PRIOR = 3

/**
 * Estimates the listings on a square kilometre around a point, from the distance to its nearest neighbours on the
 * curve. Takes two queries. The estimate decides how wide the first ring is and nothing else. The entries it read are
 * remembered and not read again.
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

/** The estimate for the next ring. A single crowded house does not make a whole region crowded. */
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
