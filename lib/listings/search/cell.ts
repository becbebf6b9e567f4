// Cells and covers are our own. `s2js` 1.44.0 offers the same curve in 154 kB of code (minified) and 7 ms of a cold
// start. These files have 3 kB and take less than 1 ms. `s2js` covers discs, not the rings that the pages of a search
// read.

import { type Direction, directionTo, EARTH_RADIUS_KM, normalised, type Point } from './sphere.ts'

/** How often a face is quartered: 44 times leaves cells of less than a micrometre. */
const FINEST_LEVEL = 44

/**
 * A square on one of the six faces of a cube around the Earth, of about the same size everywhere. Its `digits` are
 * the face and the way along the Hilbert curve, one of four digits a level. The digits of the cells inside begin with
 * its own, and neighbours on the curve are neighbours on the Earth.
 */
export type Cell = {
  readonly digits: string
  readonly face: number
  readonly level: number
  readonly column: number
  readonly row: number
  readonly isSwapped: boolean
  readonly isFlipped: boolean
}

const faceCell = (face: number): Cell => ({
  digits: `${face}`,
  face,
  level: 0,
  column: 0,
  row: 0,
  isSwapped: false,
  isFlipped: false,
})

/** The whole Earth, the last on the curve first. */
export const FACES: readonly Cell[] = [5, 4, 3, 2, 1, 0].map(faceCell)

/** The quarter of a cell in the given half of its columns and of its rows. */
function quarter(cell: Cell, right: number, upper: number): Cell {
  const flip = cell.isFlipped ? 1 : 0
  const x = (cell.isSwapped ? upper : right) ^ flip
  const y = (cell.isSwapped ? right : upper) ^ flip
  return {
    digits: cell.digits + ((3 * x) ^ y),
    face: cell.face,
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

/** The corners of a cell in turn, its inside on the left. */
export function cornersOf({ face, level, column, row }: Cell): Direction[] {
  const along = (place: number) => Math.tan((Math.PI / 4) * ((2 * place) / 2 ** level - 1))
  const [west, east, south, north] = [along(column), along(column + 1), along(row), along(row + 1)]
  return [
    onFace(face, west, south),
    onFace(face, east, south),
    onFace(face, east, north),
    onFace(face, west, north),
  ]
}

/** About how long the side of a cell is. */
export const sideKm = ({ level }: Cell): number => Math.sqrt(FACE_KM2) / 2 ** level

/** A point of a face: its axis is the face's number, modulo three; those from three on look the other way. */
function onFace(face: number, u: number, v: number): Direction {
  const sign = face < 3 ? 1 : -1
  if (face % 3 === 0) return normalised([sign, u * sign, v])
  return face % 3 === 1 ? normalised([v, sign, u * sign]) : normalised([u * sign, v, sign])
}

/** The digits of the finest cell around a point. */
export function digitsAt(point: Point): string {
  const [x, y, z] = directionTo(point)
  const sizes = [Math.abs(x), Math.abs(y), Math.abs(z)]
  const axis = sizes.indexOf(Math.max(...sizes))
  const [main, u, v] = [[x, y, z] as const, [y, z, x] as const, [z, x, y] as const][axis] ?? [x, y, z]
  const cells = 2 ** FINEST_LEVEL
  const along = (tangent: number) =>
    Math.max(0, Math.min(cells - 1, Math.floor(((Math.atan(tangent) * 4) / Math.PI + 1) * (cells / 2))))
  const [column, row] = [along(u / main), along(v / Math.abs(main))]
  let cell = faceCell(main < 0 ? axis + 3 : axis)
  for (let level = FINEST_LEVEL - 1; level >= 0; level -= 1) {
    cell = quarter(cell, Math.floor(column / 2 ** level) % 2, Math.floor(row / 2 ** level) % 2)
  }
  return cell.digits
}

/** The square that a partition holds, of some 1,250 km: one of 64 on each face. */
export const squareOf = (digits: string): string => digits.slice(0, SQUARE_DIGITS)

/** Cells of at least so many digits lie in one square. */
export const SQUARE_DIGITS = 4

/** The first and the last of the finest cells inside one. */
export const firstIn = (digits: string): string => digits.padEnd(FINEST_LEVEL + 1, '0')
export const lastIn = (digits: string): string => digits.padEnd(FINEST_LEVEL + 1, '3')

/** How many square kilometres lie between two places on the curve of one face. */
export function curveKm2(from: string, to: string): number {
  const place = (digits: string) => Number.parseInt(digits.slice(1, 1 + CURVE_DIGITS), 4) / 4 ** CURVE_DIGITS
  return (place(to) - place(from)) * FACE_KM2
}

const CURVE_DIGITS = 26

const FACE_KM2 = (4 * Math.PI * EARTH_RADIUS_KM ** 2) / FACES.length
