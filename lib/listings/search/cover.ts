import {
  areaKm2,
  type Cell,
  cornersOf,
  FACES,
  firstIn,
  lastIn,
  quarters,
  SQUARE_DIGITS,
  squareOf,
} from './cell.ts'
import { type Direction, directionTo, type Point, reachOf } from './sphere.ts'

/** A piece of the curve within one partition, from one of the finest cells to another. */
export type Stretch = { from: string; to: string; areaKm2: number }

/** What lies between two distances from a point. */
export type Ring = { origin: Point; innerKm: number; outerKm: number }

/**
 * The stretches of the curve that hold all of a ring, the last on the curve first: cells of at most `grainKm`,
 * neighbours joined. `below` leaves out what lies after that place on the curve. Lazy, since a caller may stop.
 */
export function* cover(ring: Ring, grainKm: number, below?: string): Generator<Stretch> {
  const shape = { ...ring, from: directionTo(ring.origin), grainKm2: grainKm ** 2, below }
  let open: Stretch | undefined
  for (const cell of cellsOf(FACES, shape)) {
    if (open && isNext(cell.to, open.from)) {
      open = { from: cell.from, to: open.to, areaKm2: open.areaKm2 + cell.areaKm2 }
    } else {
      if (open) yield open
      open = below !== undefined && cell.to > below ? { ...cell, to: below } : cell
    }
  }
  if (open) yield open
}

type Shape = Ring & { from: Direction; grainKm2: number; below: string | undefined }

function* cellsOf(cells: readonly Cell[], shape: Shape): Generator<Stretch> {
  for (const cell of cells) {
    const from = firstIn(cell.digits)
    const corners = cornersOf(cell)
    const { nearestKm, farthestKm } = reachOf(shape.from, corners)
    const isInRing = nearestKm <= shape.outerKm && farthestKm >= shape.innerKm
    if (!isInRing || (shape.below !== undefined && from > shape.below)) continue
    const isWhole = nearestKm >= shape.innerKm && farthestKm <= shape.outerKm
    const km2 = areaKm2(corners)
    const isFine = isWhole || km2 <= shape.grainKm2 || cell.level >= FINEST_COVERED
    if (cell.digits.length >= SQUARE_DIGITS && isFine) {
      yield { from, to: lastIn(cell.digits), areaKm2: km2 }
    } else yield* cellsOf(quarters(cell), shape)
  }
}

/** Cells of a centimetre: finer than this the curve itself leads on. */
const FINEST_COVERED = 32

/** Whether one place on the curve comes right before another, in the same partition. */
function isNext(place: string, following: string): boolean {
  const after = place.replace(/([0-2])(3*)$/, (_, digit: string, rest: string) =>
    `${Number(digit) + 1}`.padEnd(rest.length + 1, '0'),
  )
  return after === following && squareOf(place) === squareOf(following)
}
