import { curvePosition, digitsAt, firstIn, lastIn } from './cell.ts'
import { digitsOfOrder, PARTITION_LEVEL, placeRange } from './search.keys.ts'
import { areaKm2, type Point } from './sphere.ts'
import type { Place } from './sweep.ts'

/** How many neighbours on the curve are looked at, either way. */
const PROBED = 3

/**
 * About how many listings of a list lie on a square kilometre around a point, by how far its nearest neighbours
 * on the curve are. Two queries; no more than a guess, which only decides how wide the first ring is.
 */
export async function estimateDensity(
  { index, budget, partitionOf, kmOf }: Place,
  origin: Point,
): Promise<number> {
  const digits = digitsAt(origin)
  const partition = partitionOf(digits)
  const square = digits.slice(0, PARTITION_LEVEL)
  const ask = { partition, limit: PROBED }
  const [before, behind] = await Promise.all([
    index.read({ ...ask, descending: true, between: placeRange(firstIn(square), digits) }),
    index.read({ ...ask, descending: false, between: placeRange(digits, lastIn(square)) }),
  ])
  const probed = [...before.found, ...behind.found]
  budget.queries -= 2
  budget.entries -= probed.length
  const end = ({ found, isEnd }: typeof before, edge: string) =>
    curvePosition(isEnd ? edge : digitsOfOrder(found.at(-1)?.order ?? `${edge}#`))
  const span = end(behind, lastIn(square)) - end(before, firstIn(square))
  const asked = probed.filter(({ entry }) => kmOf(entry).isAskedFor).length
  return Math.max(asked, 0.5) / Math.max(span * 4 ** PARTITION_LEVEL * squareKm2(origin), 1e-6)
}

/** About how large a partition's square is. */
function squareKm2({ lat }: Point): number {
  const side = 360 / 2 ** PARTITION_LEVEL
  return areaKm2({
    south: Math.max(-90, lat - side / 2),
    north: Math.min(90, lat + side / 2),
    west: 0,
    east: side,
  })
}
