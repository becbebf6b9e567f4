import * as z from 'zod'
import { fullBudget } from './budget.ts'
import { estimateDensity } from './density.ts'
import { BEDROOMS_LISTED_MAX } from './lists.ts'
import { type Neighbour, nearestOf } from './nearest.ts'
import { placePartition } from './search.keys.ts'
import type { SearchIndex } from './search-index.ts'
import { isAskedFor, type Search } from './search-query.ts'
import { distanceKm } from './sphere.ts'
import { sweep } from './sweep.ts'

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

/** By which a listing on the rim may seem to lie beyond it. */
const RIM_SLACK_KM = 1e-9

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
  const { origin, filters } = search
  const radiusKm = search.radiusKm + RIM_SLACK_KM
  const budget = fullBudget()
  const values = { ...filters, bedrooms: Math.min(filters.bedrooms ?? 0, BEDROOMS_LISTED_MAX) }
  const place = {
    index,
    budget,
    partitionOf: (digits: string) => placePartition(values, digits),
    kmOf: distanceTo(search),
  }
  const found: Neighbour[] = []
  let answered = after?.answered ?? 0
  let perKm2 = after?.perKm2 ?? (await estimateDensity(place, origin))
  let last = after && neighbour(after.last)
  let begun = after?.sweep
  for (;;) {
    const innerKm = last?.km ?? 0
    const wanted = limit - found.length
    const upTo = begun ? neighbour(begun.upTo) : { km: reach(innerKm, wanted, perKm2, radiusKm), id: '' }
    const nearest = nearestOf(wanted, last, upTo, begun?.kept.map(neighbour))
    const ring = { origin, innerKm, outerKm: upTo.km }
    const brokeOff = await sweep(place, ring, { nearest, perKm2, answered, below: begun?.below })
    if (brokeOff !== undefined) {
      const kept = nearest.kept.slice(0, CARRIED_MAX)
      const known = nearest.kept.length > CARRIED_MAX || nearest.isFull() ? (kept.at(-1) ?? upTo) : upTo
      const under = { upTo: pair(known), below: brokeOff, kept: kept.map(pair) }
      const done = last ?? { km: 0, id: TOP_ID }
      return { found, next: { last: pair(done), answered, perKm2, sweep: under } }
    }
    found.push(...nearest.kept)
    answered += nearest.kept.length
    const full = nearest.isFull() ? nearest.kept.at(-1) : undefined
    last = full ?? upTo
    begun = undefined
    perKm2 = densityOf(nearest.kept.length, innerKm, last.km, answered, perKm2)
    if (last.km >= radiusKm && last.id === '') return { found, next: undefined }
    if (full || budget.queries < QUERIES_FOR_A_RING) {
      return { found, next: { last: pair(last), answered, perKm2 } }
    }
  }
}

/** A ring takes about so many queries; with fewer left the next page begins it. */
const QUERIES_FOR_A_RING = 16

/** Above every id: nothing at this distance has been answered yet. */
const TOP_ID = '~'

/** How far an entry lies from where the search looks; undefined where it does not ask for the entry. */
const distanceTo =
  ({ origin, filters }: NearSearch) =>
  (entry: Parameters<typeof isAskedFor>[0]): { km: number | undefined; isAskedFor: boolean } => {
    const { lat, lng } = entry
    const km = lat === null || lng === null ? undefined : distanceKm(origin, { lat, lng })
    return { km, isAskedFor: isAskedFor(entry, filters) }
  }

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
