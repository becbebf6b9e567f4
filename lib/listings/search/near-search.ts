import * as z from 'zod'
import { fullBudget } from './budget.ts'
import { estimateDensity } from './density.ts'
import { listedMinimum } from './lists.ts'
import { type Neighbour, nearestOf } from './nearest.ts'
import { placePartition } from './search.keys.ts'
import type { SearchEntry } from './search-entry.ts'
import type { SearchIndex } from './search-index.ts'
import { isAskedFor, type Search } from './search-query.ts'
import { distanceKm, type Point } from './sphere.ts'
import { type Place, sweep } from './sweep.ts'

type NearSearch = Extract<Search, { by: 'distance' }>

/** How far a search by distance has come: everything up to `last` was answered; a sweep may be under way. */
export const NearPosition = z.object({
  last: z.tuple([z.number(), z.string()]),
  answered: z.int(),
  perKm2: z.number(),
  sweep: z
    .object({
      upTo: z.tuple([z.number(), z.string()]),
      below: z.string(),
      kept: z.array(z.tuple([z.number(), z.string()])),
    })
    .optional(),
})
export type NearPosition = z.infer<typeof NearPosition>

/** How many neighbours a cursor carries from one page of a long sweep to the next. */
const CARRIED_MAX = 16

/** More than are wanted are expected in a ring, so that one sweep mostly does. */
const MARGIN = 1.3

/** A ring takes about so many queries; with fewer left the next page begins it. */
const QUERIES_FOR_A_RING = 16

/** By which a listing on the rim may seem to lie beyond it. */
const RIM_SLACK_KM = 1e-9

/** Before every listing: nothing was answered yet. */
const NOTHING: Neighbour = { km: 0, id: '~' }

/**
 * The next neighbours of a point that a search asks for, nearest first, each once. It sweeps rings around the
 * point, as wide as it takes to hold a page by what is known of how densely listings lie; a sweep that one page
 * cannot finish goes on in the next one, its best so far carried in the position. Nothing is answered before
 * everything nearer is known. `next` is undefined at the end.
 */
export async function searchNear(
  index: Pick<SearchIndex, 'read'>,
  search: NearSearch,
  { limit, after }: { limit: number; after: NearPosition | undefined },
): Promise<{ found: Neighbour[]; next: NearPosition | undefined }> {
  const place = placeOf(index, search)
  const found: Neighbour[] = []
  let position = after ?? {
    last: pair(NOTHING),
    answered: 0,
    perKm2: await estimateDensity(place, search.origin),
  }
  do {
    const { kept, next } = await sweepRing(place, search, position, limit - found.length)
    found.push(...kept)
    if (!next) return { found, next }
    position = next
  } while (!position.sweep && found.length < limit && place.budget.queries >= QUERIES_FOR_A_RING)
  return { found, next: position }
}

/** Sweeps one ring, or goes on with one. */
async function sweepRing(
  place: Place,
  { origin, radiusKm }: NearSearch,
  { last: from, answered, perKm2, sweep: begun }: NearPosition,
  wanted: number,
): Promise<{ kept: Neighbour[]; next: NearPosition | undefined }> {
  const [last, rimKm] = [neighbour(from), radiusKm + RIM_SLACK_KM]
  const upTo = begun ? neighbour(begun.upTo) : { km: reach(last.km, wanted, perKm2, rimKm), id: '' }
  const nearest = nearestOf(wanted, last, upTo, begun?.kept.map(neighbour))
  const ring = { origin, innerKm: last.km, outerKm: upTo.km }
  const below = await sweep(place, ring, { nearest, perKm2, answered, below: begun?.below })
  if (below !== undefined) {
    const carried = nearest.kept.slice(0, CARRIED_MAX)
    const isCut = nearest.isFull() || carried.length < nearest.kept.length
    const bound = (isCut && carried.at(-1)) || upTo
    const under = { upTo: pair(bound), below, kept: carried.map(pair) }
    return { kept: [], next: { last: from, answered, perKm2, sweep: under } }
  }
  const { kept } = nearest
  const reached = (nearest.isFull() && kept.at(-1)) || upTo
  const total = answered + kept.length
  const next = {
    last: pair(reached),
    answered: total,
    perKm2: densityOf(kept.length, last.km, reached.km, total, perKm2),
  }
  return { kept, next: reached.km >= rimKm && reached.id === '' ? undefined : next }
}

const placeOf = (index: Pick<SearchIndex, 'read'>, { origin, filters }: NearSearch): Place => {
  const values = { ...filters, bedrooms: listedMinimum(filters.bedrooms) }
  return {
    index,
    budget: fullBudget(),
    partitionOf: (digits) => placePartition(values, digits),
    kmOf: (entry) => kmTo(origin, entry),
    isAskedFor: (entry) => isAskedFor(entry, filters),
  }
}

const kmTo = (origin: Point, { lat, lng }: SearchEntry): number =>
  lat === null || lng === null ? Number.POSITIVE_INFINITY : distanceKm(origin, { lat, lng })

/** How far a ring goes that holds about as many as wanted. */
function reach(innerKm: number, wanted: number, perKm2: number, radiusKm: number): number {
  const outerKm = Math.sqrt(innerKm ** 2 + (wanted * MARGIN) / (Math.PI * perKm2))
  return Math.min(radiusKm, Math.max(outerKm, innerKm * 1.01, innerKm + 0.001))
}

/** What the last ring says of the next; a single crowded house does not make a whole region crowded. */
function densityOf(
  count: number,
  innerKm: number,
  outerKm: number,
  answered: number,
  before: number,
): number {
  const ringKm2 = Math.PI * (outerKm ** 2 - innerKm ** 2)
  if (ringKm2 < 1e-9) return before
  const everywhere = (answered + 1) / (Math.PI * outerKm ** 2)
  return Math.min((count + 0.25) / ringKm2, everywhere * 8)
}

const neighbour = ([km, id]: readonly [number, string]): Neighbour => ({ km, id })
const pair = ({ km, id }: Neighbour): [number, string] => [km, id]
