/** The mean radius of the Earth (IUGG): distances are great circles on a sphere of this size. */
const EARTH_RADIUS_KM = 6371.0088

/** A place on the sphere, in degrees. */
export type Point = { lat: number; lng: number }

/** What lies between two parallels and two meridians, in degrees; `east` is never below `west`. */
export type Box = { south: number; north: number; west: number; east: number }

const radians = (degrees: number): number => (degrees * Math.PI) / 180
const degrees = (angle: number): number => (angle * 180) / Math.PI

/** The great circle between two points, by the haversine formula. */
export function distanceKm(from: Point, to: Point): number {
  const halfLat = Math.sin(radians(to.lat - from.lat) / 2)
  const halfLng = Math.sin(radians(to.lng - from.lng) / 2)
  const chord = halfLat ** 2 + Math.cos(radians(from.lat)) * Math.cos(radians(to.lat)) * halfLng ** 2
  return 2 * EARTH_RADIUS_KM * Math.asin(Math.min(1, Math.sqrt(chord)))
}

/** How near a box comes to a point; across the antimeridian and the poles as anywhere. */
export function nearestKm(point: Point, box: Box): number {
  const offset = (((point.lng - box.west) % 360) + 360) % 360
  if (offset <= box.east - box.west) {
    return EARTH_RADIUS_KM * radians(Math.max(0, box.south - point.lat, point.lat - box.north))
  }
  return Math.min(meridianKm(point, box.west, box), meridianKm(point, box.east, box))
}

/** How far a box reaches from a point: what is nearest to the other side of the Earth is farthest from here. */
export function farthestKm(point: Point, box: Box): number {
  const antipode = { lat: -point.lat, lng: point.lng > 0 ? point.lng - 180 : point.lng + 180 }
  return Math.PI * EARTH_RADIUS_KM - nearestKm(antipode, box)
}

/** The distance to a piece of a meridian: to one of its ends, or to where a great circle meets it squarely. */
function meridianKm(point: Point, lng: number, { south, north }: Box): number {
  const lat = radians(point.lat)
  const foot = degrees(Math.atan2(Math.sin(lat), Math.cos(lat) * Math.cos(radians(lng - point.lng))))
  const candidates = foot > south && foot < north ? [south, north, foot] : [south, north]
  return Math.min(...candidates.map((latitude) => distanceKm(point, { lat: latitude, lng })))
}

/** How many square kilometres a box has. */
export const areaKm2 = ({ south, north, west, east }: Box): number =>
  EARTH_RADIUS_KM ** 2 * (Math.sin(radians(north)) - Math.sin(radians(south))) * radians(east - west)
