import { boxOf, type Cell, firstIn, lastIn, quarters, WORLD } from './cell.ts'
import { PARTITION_LEVEL } from './search.keys.ts'
import { areaKm2, type Box, farthestKm, nearestKm, type Point } from './sphere.ts'

/** A piece of the curve within one partition, from one of the finest cells to another. */
export type Stretch = { from: string; to: string; areaKm2: number }

/** What lies between two distances from a point. */
export type Ring = { origin: Point; innerKm: number; outerKm: number }

/** What is lost in computing: a micrometre, by which a cell counts as nearer and as reaching farther. */
const SLACK_KM = 1e-9

/**
 * The stretches of the curve that hold all of a ring, the last on the curve first: cells of at most `grainKm`,
 * neighbours joined. `below` leaves out what lies after that place on the curve. Lazy, since a caller may stop.
 */
export function* cover(ring: Ring, grainKm: number, below?: string): Generator<Stretch> {
  let open: Stretch | undefined
  for (const { digits, box } of cellsOf(WORLD, ring, grainKm, below)) {
    const cell = { from: firstIn(digits), to: lastIn(digits), areaKm2: areaKm2(box) }
    if (open && isNext(cell.to, open.from)) {
      open = { from: cell.from, to: open.to, areaKm2: open.areaKm2 + cell.areaKm2 }
    } else {
      if (open) yield open
      open = below !== undefined && cell.to > below ? { ...cell, to: below } : cell
    }
  }
  if (open) yield open
}

function* cellsOf(
  cell: Cell,
  ring: Ring,
  grainKm: number,
  below: string | undefined,
): Generator<{ digits: string; box: Box }> {
  const box = boxOf(cell)
  if (!box || (below !== undefined && firstIn(cell.digits) > below)) return
  const nearest = nearestKm(ring.origin, box) - SLACK_KM
  const farthest = farthestKm(ring.origin, box) + SLACK_KM
  if (nearest > ring.outerKm || farthest < ring.innerKm) return
  const isInside = nearest >= ring.innerKm && farthest <= ring.outerKm
  const isFine = isInside || areaKm2(box) <= grainKm ** 2 || cell.level >= FINEST_COVERED
  if (cell.level >= PARTITION_LEVEL && isFine) yield { digits: cell.digits, box }
  else for (const part of quarters(cell)) yield* cellsOf(part, ring, grainKm, below)
}

/** Cells of a centimetre: finer than this the curve itself leads on. */
const FINEST_COVERED = 32

/** Whether one place on the curve comes right before another, in the same partition. */
function isNext(place: string, following: string): boolean {
  const after = place.replace(/([0-2])(3*)$/, (_, digit: string, rest: string) =>
    `${Number(digit) + 1}`.padEnd(rest.length + 1, '0'),
  )
  return after === following && place.slice(0, PARTITION_LEVEL) === following.slice(0, PARTITION_LEVEL)
}
