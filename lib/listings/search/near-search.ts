import * as z from 'zod'
import { fullBudget } from './budget.ts'
import { densityAfter, estimateDensity } from './density.ts'
import { listedMinimum } from './lists.ts'
import { type Neighbour, nearestOf } from './nearest.ts'
import type { Place } from './place.ts'
import { placePartition } from './search.keys.ts'
import type { SearchEntry } from './search-entry.ts'
import type { SearchIndex } from './search-index.ts'
import { isAskedFor, type Search } from './search-query.ts'
import { distanceKm, type Point } from './sphere.ts'
import { sweep } from './sweep.ts'

type NearSearch = Extract<Search, { by: 'distance' }>

const Pair = z.tuple([z.number(), z.string()])

/**
 * How far a search by distance has come: everything up to `last` was answered. A sweep may be ahead of it: what
 * it kept is known up to `upTo`, or is still being looked for `below` an order.
 */
export const NearPosition = z.object({
  last: Pair,
  answered: z.int(),
  perKm2: z.number(),
  sweep: z.object({ upTo: Pair, below: z.string().optional(), kept: z.array(Pair) }).optional(),
})
export type NearPosition = z.infer<typeof NearPosition>

/** How many neighbours a cursor carries from one page to the next. */
const CARRIED_MAX = 16

/** A ring is made wide enough for so many listings beyond the page, so that one sweep is mostly enough. */
const SPARE = 4

/** With fewer queries left, the next page begins the ring. */
const QUERIES_FOR_A_RING = 8

/** The error by which a listing on the rim may seem to lie outside. */
const RIM_SLACK_KM = 1e-9

/** The position before the first listing. */
const NOTHING: Neighbour = { km: 0, id: '~' }

/**
 * The next neighbours of a point that a search asks for, nearest first, each once. It sweeps rings around the point.
 * The estimated density decides how wide a ring is. The position carries what a ring holds beyond a page, and the
 * nearest so far of a sweep that one page cannot finish. A listing is answered once everything nearer is known.
 * `next` is undefined at the end.
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
    perKm2: await estimateDensity(place, search.origin, search.radiusKm + RIM_SLACK_KM),
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
  position: NearPosition,
  wanted: number,
): Promise<{ kept: Neighbour[]; next: NearPosition | undefined }> {
  const { answered, perKm2, sweep: begun } = position
  const [last, rimKm] = [neighbour(position.last), radiusKm + RIM_SLACK_KM]
  const upTo = begun ? neighbour(begun.upTo) : { km: reach(place, last, wanted, perKm2, rimKm), id: '' }
  const nearest = nearestOf(wanted + CARRIED_MAX, last, upTo, begun?.kept.map(neighbour))
  if (!begun || begun.below !== undefined) {
    const ring = { origin, innerKm: last.km, outerKm: upTo.km }
    const below = await sweep(place, ring, { nearest, perKm2, answered, below: begun?.below })
    if (below !== undefined) return { kept: [], next: { ...position, sweep: brokenOff(nearest, below) } }
  }
  const swept = (nearest.isFull() && nearest.kept.at(-1)) || upTo
  const inRing = nearest.kept.length
  const [kept, ahead] = [nearest.kept.slice(0, wanted), nearest.kept.slice(wanted)]
  const isEnd = ahead.length === 0 && swept.km >= rimKm && swept.id === ''
  const next = {
    last: pair((ahead.length > 0 && kept.at(-1)) || swept),
    answered: answered + kept.length,
    perKm2: densityAfter(perKm2, { innerKm: last.km, outerKm: swept.km }, { inRing, before: answered }),
    ...(ahead.length > 0 && { sweep: { upTo: pair(swept), kept: ahead.map(pair) } }),
  }
  return { kept, next: isEnd ? undefined : next }
}

/** The nearest so far of a sweep that goes on in the next page; of many, those beyond the carried ones are given up. */
function brokenOff(nearest: ReturnType<typeof nearestOf>, below: string): NearPosition['sweep'] {
  const carried = nearest.kept.slice(0, CARRIED_MAX)
  const isCut = nearest.isFull() || carried.length < nearest.kept.length
  const upTo = (isCut && carried.at(-1)) || nearest.upTo
  return { upTo: pair(upTo), below, kept: carried.map(pair) }
}

const placeOf = (index: Pick<SearchIndex, 'read'>, { origin, filters }: NearSearch): Place => {
  const { offer, category, bedrooms } = filters
  const values = { offer, category, bedrooms: listedMinimum(bedrooms) }
  return {
    index,
    budget: fullBudget(),
    partitionOf: (digits) => placePartition(values, digits),
    kmOf: (entry) => kmTo(origin, entry),
    isAskedFor: (entry) => isAskedFor(entry, filters),
    known: { ranges: [], neighbours: [] },
  }
}

const kmTo = (origin: Point, { lat, lng }: SearchEntry): number =>
  lat === null || lng === null ? Number.POSITIVE_INFINITY : distanceKm(origin, { lat, lng })

/** How far a ring goes that holds about as many as wanted; no farther than enough that are known. */
function reach({ known }: Place, last: Neighbour, wanted: number, perKm2: number, rimKm: number): number {
  const enough = nearestOf(wanted, last, { km: rimKm, id: '' }, known.neighbours)
  const surelyKm = enough.isFull() ? enough.kept.at(-1)?.km : undefined
  const likelyKm = Math.sqrt(last.km ** 2 + (wanted + SPARE) / (Math.PI * perKm2))
  return Math.min(rimKm, surelyKm ?? rimKm, Math.max(likelyKm, last.km * 1.01, last.km + 0.001))
}

const neighbour = ([km, id]: readonly [number, string]): Neighbour => ({ km, id })
const pair = ({ km, id }: Neighbour): [number, string] => [km, id]
