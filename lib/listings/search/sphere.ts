/** The mean radius of the Earth (IUGG): distances are great circles on a sphere of this size. */
export const EARTH_RADIUS_KM = 6371.0088

/** A place on the sphere, in degrees. */
export type Point = { lat: number; lng: number }

/** A point as a direction of length one from the centre of the Earth. */
export type Direction = readonly [x: number, y: number, z: number]

const radians = (degrees: number): number => (degrees * Math.PI) / 180

/**
 * The great circle between two points, by the haversine formula. Two spellings of one point give the same distance.
 */
export function distanceKm(from: Point, to: Point): number {
  const halfLat = Math.sin(radians(to.lat - from.lat) / 2)
  const halfLng = Math.sin(radians(turned(meridian(to.lng) - meridian(from.lng))) / 2)
  const chord = halfLat ** 2 + parallel(from.lat) * parallel(to.lat) * halfLng ** 2
  return 2 * EARTH_RADIUS_KM * Math.asin(Math.min(1, Math.sqrt(chord)))
}

/** 180 degrees west is 180 degrees east, to the last bit: neighbours at one place are at the same distance. */
const meridian = (lng: number): number => (lng === -180 ? 180 : lng)

/** A turn of more than half a circle is one the other way round. */
const turned = (turn: number): number => (Math.abs(turn) > 180 ? turn - Math.sign(turn) * 360 : turn)

/** The length of a parallel: a pole is one point at every longitude. */
const parallel = (lat: number): number => (Math.abs(lat) === 90 ? 0 : Math.cos(radians(lat)))

/** The direction of a point from the centre of the Earth, where there are no poles and no antimeridian. */
export function directionTo({ lat, lng }: Point): Direction {
  const [north, east] = [radians(lat), radians(lng)]
  return [Math.cos(north) * Math.cos(east), Math.cos(north) * Math.sin(east), Math.sin(north)]
}

/** The same direction with length one. */
export function normalised([x, y, z]: Direction): Direction {
  const length = Math.hypot(x, y, z)
  return [x / length, y / length, z / length]
}

/** The error of the computation: a micrometre, and more where an edge is so short that it hardly has a direction. */
const slackKm = (edgeKm: number): number => 1e-9 + 2e-8 / edgeKm

/**
 * The least and the greatest distance of an area from a point. The corners are given in turn with the inside on the
 * left; the edges are great circles.
 */
export function reachOf(
  from: Direction,
  corners: readonly Direction[],
): { nearestKm: number; farthestKm: number } {
  const edges = corners.map(
    (corner, index) => [corner, corners[(index + 1) % corners.length] ?? corner] as const,
  )
  const isInside = edges.every(([a, b]) => dot(cross(a, b), from) >= 0)
  const toEdges = isInside
    ? 0
    : Math.min(...edges.map(([a, b]) => toEdgeKm(from, a, b) - slackKm(kmBetween(a, b))))
  const [middle, radiusKm] = circleAround(corners)
  return {
    nearestKm: Math.max(0, toEdges, kmBetween(from, middle) - radiusKm),
    farthestKm: Math.max(...corners.map((corner) => kmBetween(from, corner))) + slackKm(1),
  }
}

function circleAround(corners: readonly Direction[]): [middle: Direction, radiusKm: number] {
  const sum = (axis: 0 | 1 | 2) => corners.reduce((total, corner) => total + corner[axis], 0)
  const middle = normalised([sum(0), sum(1), sum(2)])
  return [middle, Math.max(...corners.map((corner) => kmBetween(middle, corner))) + slackKm(1)]
}

/** The distance to an edge: to one of its ends, or to where a great circle meets it squarely. */
function toEdgeKm(from: Direction, a: Direction, b: Direction): number {
  const axis = normalised(cross(a, b))
  const isBetween = dot(cross(axis, a), from) > 0 && dot(cross(b, axis), from) > 0
  if (isBetween) return EARTH_RADIUS_KM * Math.asin(Math.min(1, Math.abs(dot(axis, from))))
  return Math.min(kmBetween(from, a), kmBetween(from, b))
}

/** The great circle between two directions, from the straight line between them: exact where they are close. */
export const kmBetween = ([ax, ay, az]: Direction, [bx, by, bz]: Direction): number =>
  2 * EARTH_RADIUS_KM * Math.asin(Math.min(1, Math.hypot(ax - bx, ay - by, az - bz) / 2))

const dot = ([ax, ay, az]: Direction, [bx, by, bz]: Direction): number => ax * bx + ay * by + az * bz

const cross = ([ax, ay, az]: Direction, [bx, by, bz]: Direction): Direction => [
  ay * bz - az * by,
  az * bx - ax * bz,
  ax * by - ay * bx,
]
