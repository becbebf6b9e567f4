/** The mean radius of the Earth (IUGG): distances are great circles on a sphere of this size. */
export const EARTH_RADIUS_KM = 6371.0088

/** A place on the sphere, in degrees. */
export type Point = { lat: number; lng: number }

const radians = (degrees: number): number => (degrees * Math.PI) / 180

/**
 * Returns the distance of two points on the great circle, by the haversine formula. Two spellings of one point, such as
 * 180 degrees east and west, give the same distance.
 */
export function distanceKm(from: Point, to: Point): number {
  const halfLat = Math.sin(radians(to.lat - from.lat) / 2)
  const halfLng = Math.sin(radians(shorterTurn(meridian(to.lng) - meridian(from.lng))) / 2)
  const chord = halfLat ** 2 + parallel(from.lat) * parallel(to.lat) * halfLng ** 2
  return 2 * EARTH_RADIUS_KM * Math.asin(Math.min(1, Math.sqrt(chord)))
}

/** Spells 180 degrees west as 180 degrees east, so that both give the very same distance. */
const meridian = (lng: number): number => (lng === -180 ? 180 : lng)

/** A turn of more than half a circle is shorter the other way round. */
const shorterTurn = (turn: number): number => (Math.abs(turn) > 180 ? turn - Math.sign(turn) * 360 : turn)

/** Returns the length of a parallel, as a share of the equator. A pole has none: it is one point at every longitude. */
const parallel = (lat: number): number => (Math.abs(lat) === 90 ? 0 : Math.cos(radians(lat)))
