import type { Point } from './sphere.ts'

/** The latitude at which Web Mercator is cut, so that the world is a square. */
const LATITUDE_MAX = 85.051129

/** A square is 64 pixels wide. At zoom 0 the world is 256 pixels wide. */
const SQUARES_AT_ZOOM_0 = 4

/** The largest number below 1. */
const BELOW_1 = 1 - Number.EPSILON / 2

/** Returns a point in Web Mercator, each axis from 0 to below 1; 180 degrees east is 180 degrees west. */
export function projected({ lat, lng }: Point): { x: number; y: number } {
  const sine = Math.sin((Math.max(-LATITUDE_MAX, Math.min(LATITUDE_MAX, lat)) * Math.PI) / 180)
  return {
    // The sum is rounded: just west of 180 degrees east it is 360.
    x: Math.min(BELOW_1, ((lng === 180 ? -180 : lng) + 180) / 360),
    y: Math.max(0, Math.min(BELOW_1, 0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI))),
  }
}

/** Returns the number of squares across the world at a zoom. */
export const squaresAt = (zoom: number): number => SQUARES_AT_ZOOM_0 * 2 ** zoom

/** Returns the corners of a square: west, south, east, north. */
export function cornersOf(column: number, row: number, zoom: number): [number, number, number, number] {
  const squares = squaresAt(zoom)
  const lng = (at: number) => (at / squares) * 360 - 180
  const lat = (at: number) => (Math.atan(Math.sinh(Math.PI * (1 - (2 * at) / squares))) * 180) / Math.PI
  return [lng(column), lat(row + 1), lng(column + 1), lat(row)]
}
