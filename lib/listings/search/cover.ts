import {
  type Cell,
  cornersOf,
  curveKm2,
  FACES,
  firstIn,
  lastIn,
  quarters,
  SQUARE_DIGITS,
  sideKm,
  squareOf,
} from './cell.ts'
import type { Known } from './place.ts'
import { placeRange } from './search.keys.ts'
import { type Direction, directionTo, type Point, reachOf } from './sphere.ts'

/** A piece of the curve within one partition, from one of the finest cells to another, both included. */
export type Stretch = { from: string; to: string }

/** The area between two distances from a point. */
export type Ring = { origin: Point; innerKm: number; outerKm: number }

/** The parts that a cover leaves out: the curve after a place, and cells whose entries are all known. */
type Omitted = { below?: string | undefined; known?: Known['ranges'] }

/**
 * The stretches of the curve that hold a ring without the omitted parts, the last on the curve first. They are cells
 * of at most `grainKm`, with neighbours joined. Lazy, since a caller may stop.
 */
export function* cover(ring: Ring, grainKm: number, { below, known = [] }: Omitted = {}): Generator<Stretch> {
  const shape = { ...ring, from: directionTo(ring.origin), grainKm, below, known }
  let open: Stretch | undefined
  for (const cell of cellsOf(FACES, shape)) {
    if (open && isNext(cell.to, open.from)) {
      open = { from: cell.from, to: open.to }
    } else {
      if (open) yield open
      open = below !== undefined && cell.to > below ? { ...cell, to: below } : cell
    }
  }
  if (open) yield open
}

/**
 * Joins stretches over the smallest gaps until there are at most `most`, so that few queries read little besides.
 * Stretches of two partitions are never joined.
 */
export function joined(stretches: readonly Stretch[], most: number): Stretch[] {
  const gaps = stretches.slice(1).map((lower, index) => ({
    before: index + 1,
    km2: gapKm2(lower, stretches[index] ?? lower),
  }))
  const cuts = gaps
    .sort((a, b) => b.km2 - a.km2)
    .filter(({ km2 }, rank) => rank < most - 1 || km2 === Number.POSITIVE_INFINITY)
    .map(({ before }) => before)
    .sort((a, b) => a - b)
  return [0, ...cuts].flatMap((first, index) => {
    const [highest, lowest] = [stretches[first], stretches[(cuts[index] ?? stretches.length) - 1]]
    return highest && lowest ? [{ from: lowest.from, to: highest.to }] : []
  })
}

const gapKm2 = (lower: Stretch, upper: Stretch): number =>
  squareOf(lower.to) === squareOf(upper.from) ? curveKm2(lower.to, upper.from) : Number.POSITIVE_INFINITY

type Shape = Ring & { from: Direction; grainKm: number; below: string | undefined; known: Known['ranges'] }

function* cellsOf(cells: readonly Cell[], shape: Shape): Generator<Stretch> {
  for (const cell of cells) {
    const [from, to] = [firstIn(cell.digits), lastIn(cell.digits)]
    if (shape.below !== undefined && from > shape.below) continue
    const { nearestKm, farthestKm } = reachOf(shape.from, cornersOf(cell))
    if (nearestKm > shape.outerKm || farthestKm < shape.innerKm) continue
    const [lowest, highest] = placeRange(from, to)
    if (shape.known.some((range) => range[0] <= lowest && highest <= range[1])) continue
    const isUnknown = !shape.known.some((range) => range[0] <= highest && lowest <= range[1])
    const isWhole = isUnknown && nearestKm >= shape.innerKm && farthestKm <= shape.outerKm
    const isFine = isWhole || sideKm(cell) <= shape.grainKm || cell.level >= FINEST_COVERED
    if (cell.digits.length >= SQUARE_DIGITS && isFine) yield { from, to }
    else yield* cellsOf(quarters(cell), shape)
  }
}

/** Cells of a centimetre: the curve need not be followed more finely. */
const FINEST_COVERED = 32

/** Whether one place on the curve comes right before another, in the same partition. */
function isNext(place: string, following: string): boolean {
  const after = place.replace(/([0-2])(3*)$/, (_, digit: string, rest: string) =>
    `${Number(digit) + 1}`.padEnd(rest.length + 1, '0'),
  )
  return after === following && squareOf(place) === squareOf(following)
}
