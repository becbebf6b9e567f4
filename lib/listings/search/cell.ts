import type { Box, Point } from './sphere.ts'

/** How often the world is quartered: 44 times leaves cells of a few micrometres. */
export const FINEST_LEVEL = 44

/**
 * A square of degrees. Its `digits` are its way along the Hilbert curve, one in four a level, so that the cells
 * inside it are those whose digits begin with its own, and neighbours on the curve are neighbours on the map.
 */
export type Cell = {
  readonly digits: string
  readonly level: number
  readonly column: number
  readonly row: number
  readonly isSwapped: boolean
  readonly isFlipped: boolean
}

/** The whole world: 360 degrees square, of which latitudes fill one half. */
export const WORLD: Cell = {
  digits: '',
  level: 0,
  column: 0,
  row: 0,
  isSwapped: false,
  isFlipped: false,
}

/** The quarter of a cell in the given half of its columns and of its rows. */
function quarter(cell: Cell, right: number, upper: number): Cell {
  const flip = cell.isFlipped ? 1 : 0
  const x = (cell.isSwapped ? upper : right) ^ flip
  const y = (cell.isSwapped ? right : upper) ^ flip
  return {
    digits: cell.digits + ((3 * x) ^ y),
    level: cell.level + 1,
    column: cell.column * 2 + right,
    row: cell.row * 2 + upper,
    isSwapped: y === 0 ? !cell.isSwapped : cell.isSwapped,
    isFlipped: y === 0 && x === 1 ? !cell.isFlipped : cell.isFlipped,
  }
}

/** The four quarters of a cell, the last on the curve first. */
export const quarters = (cell: Cell): Cell[] =>
  [quarter(cell, 0, 0), quarter(cell, 0, 1), quarter(cell, 1, 0), quarter(cell, 1, 1)].sort((a, b) =>
    a.digits < b.digits ? 1 : -1,
  )

/** What part of the Earth a cell is; undefined beyond the poles. */
export function boxOf({ level, column, row }: Cell): Box | undefined {
  const size = 360 / 2 ** level
  const south = -90 + row * size
  if (south >= 90) return undefined
  return {
    south,
    north: Math.min(90, south + size),
    west: -180 + column * size,
    east: -180 + (column + 1) * size,
  }
}

/** The digits of the finest cell around a point. */
export function digitsAt({ lat, lng }: Point): string {
  const cells = 2 ** FINEST_LEVEL
  const column = Math.min(cells - 1, Math.floor(((lng + 180) / 360) * cells))
  const row = Math.min(cells / 2 - 1, Math.floor(((lat + 90) / 360) * cells))
  let cell = WORLD
  for (let level = FINEST_LEVEL - 1; level >= 0; level -= 1) {
    cell = quarter(cell, Math.floor(column / 2 ** level) % 2, Math.floor(row / 2 ** level) % 2)
  }
  return cell.digits
}

/** The first and the last of the finest cells inside one. */
export const firstIn = (digits: string): string => digits.padEnd(FINEST_LEVEL, '0')
export const lastIn = (digits: string): string => digits.padEnd(FINEST_LEVEL, '3')

/** Where finest digits stand on the curve, from 0 to 1. */
export const curvePosition = (digits: string): number =>
  Number.parseInt(digits.slice(0, CURVE_DIGITS), 4) / 4 ** CURVE_DIGITS

const CURVE_DIGITS = 26
