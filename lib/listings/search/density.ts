import { curveKm2, digitsAt, firstIn, lastIn, squareOf } from './cell.ts'
import { digitsOfOrder, placeRange } from './search.keys.ts'
import type { Point } from './sphere.ts'
import type { Place } from './sweep.ts'

/** How many neighbours on the curve are looked at, either way. */
const PROBED = 3

/**
 * About how many listings of a list lie on a square kilometre around a point, by how far its nearest neighbours
 * on the curve are. Two queries; no more than a guess, which only decides how wide the first ring is.
 */
export async function estimateDensity(
  { index, budget, partitionOf, isAskedFor }: Place,
  origin: Point,
): Promise<number> {
  const digits = digitsAt(origin)
  const partition = partitionOf(digits)
  const square = squareOf(digits)
  const ask = { partition, limit: PROBED }
  const [before, behind] = await Promise.all([
    index.read({ ...ask, descending: true, between: placeRange(firstIn(square), digits) }),
    index.read({ ...ask, descending: false, between: placeRange(digits, lastIn(square)) }),
  ])
  const probed = [...before.found, ...behind.found]
  budget.queries -= 2
  budget.entries -= probed.length
  const end = ({ found, isEnd }: typeof before, edge: string) =>
    isEnd ? edge : digitsOfOrder(found.at(-1)?.order ?? `${edge}#`)
  const km2 = curveKm2(end(before, firstIn(square)), end(behind, lastIn(square)))
  const asked = probed.filter(({ entry }) => isAskedFor(entry)).length
  return Math.max(asked, 0.5) / Math.max(km2, 1e-6)
}
