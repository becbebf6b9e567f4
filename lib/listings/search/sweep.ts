import type { Budget } from './budget.ts'
import { cover, type Ring, type Stretch } from './cover.ts'
import type { nearestOf } from './nearest.ts'
import { digitsOfOrder, placeRange } from './search.keys.ts'
import type { SearchEntry } from './search-entry.ts'
import type { ListedEntry, SearchIndex } from './search-index.ts'

/** A list by place: how it is read, what may still be spent on it, and how far its entries lie. */
export type Place = {
  index: Pick<SearchIndex, 'read'>
  budget: Budget
  partitionOf: (digits: string) => string
  kmOf: (entry: SearchEntry) => number
  isAskedFor: (entry: SearchEntry) => boolean
}

type Sweep = {
  nearest: ReturnType<typeof nearestOf>
  perKm2: number
  answered: number
  /** The order below which an earlier page broke off. */
  below: string | undefined
}

/** A stretch that is being read downwards, from `after` or from its upper end. */
type Reading = { stretch: Stretch; upper: string; after: string | undefined }

/** How much of what is left a batch of stretches may begin with, so that the rest can finish them. */
const SHARE_OF_QUERIES = 0.7

/**
 * Offers every entry of a ring to the nearest. Answers the order below which it broke off when the budget was
 * spent; undefined when the ring is swept.
 */
export async function sweep(place: Place, ring: Ring, job: Sweep): Promise<string | undefined> {
  const resumed = job.below === undefined ? undefined : digitsOfOrder(job.below)
  const stretches = cover(ring, grainKm(ring, job.answered), resumed)
  let lowest = job.below
  for (;;) {
    const batch = take(stretches, Math.floor(place.budget.queries * SHARE_OF_QUERIES))
    if (batch === undefined) return undefined
    if (batch.length === 0) return lowest
    const readings = batch.map(
      (stretch): Reading => ({
        stretch,
        upper: placeRange(stretch.from, stretch.to)[1],
        after: stretch.to === resumed ? job.below : undefined,
      }),
    )
    const brokeOff = await readAll(place, readings, job)
    if (brokeOff !== undefined) return brokeOff
    lowest = `${batch.at(-1)?.from}#`
  }
}

/** The finer the grain, the fewer entries of neighbouring rings are read, and the more queries it takes. */
const grainKm = ({ outerKm }: Ring, answered: number): number =>
  outerKm * Math.min(1 / 5, Math.sqrt(38 / Math.max(1, answered)))

/** The next few of a sequence; undefined when it has ended. */
function take<T>(sequence: Generator<T>, count: number): T[] | undefined {
  const taken: T[] = []
  while (taken.length < count) {
    const { value, done } = sequence.next()
    if (done) return taken.length > 0 ? taken : undefined
    taken.push(value)
  }
  return taken
}

/** Reads stretches to their ends; answers the highest order from which one of them could not go on. */
async function readAll(place: Place, all: Reading[], job: Sweep): Promise<string | undefined> {
  let open = all
  while (open.length > 0) {
    const { budget } = place
    const limit = Math.floor(budget.entries / open.length)
    if (budget.queries < open.length || limit < 1) return highest(open)
    budget.queries -= open.length
    const next = await Promise.all(open.map((reading) => readOn(place, reading, limit, job)))
    open = next.flatMap((reading) => reading ?? [])
  }
  return undefined
}

const highest = (open: readonly Reading[]): string =>
  open.map(({ upper, after }) => after ?? upper).reduce((a, b) => (a > b ? a : b))

async function readOn(
  place: Place,
  reading: Reading,
  most: number,
  job: Sweep,
): Promise<Reading | undefined> {
  const { stretch, upper, after } = reading
  const expected = Math.ceil(2 * job.perKm2 * stretch.areaKm2) + 3
  const { found, isEnd } = await place.index.read({
    partition: place.partitionOf(stretch.from),
    between: [placeRange(stretch.from, stretch.to)[0], upper],
    descending: true,
    limit: Math.max(1, Math.min(most, expected)),
    after,
  })
  place.budget.entries -= found.length
  for (const { entry } of found) {
    if (place.isAskedFor(entry)) job.nearest.add({ km: place.kmOf(entry), id: entry.listingId })
  }
  const lastRead = found.at(-1)
  if (isEnd || lastRead === undefined) return undefined
  return beyondCrowd(place, { ...reading, after: lastRead.order }, found, lastRead, job)
}

/**
 * Many listings may share one point: there ids descend, so that once one is too far down the order, or was
 * answered on an earlier page, what follows at that point need not be read.
 */
function beyondCrowd(
  { kmOf }: Place,
  reading: Reading,
  found: readonly ListedEntry[],
  { order, entry }: ListedEntry,
  { nearest }: Sweep,
): Reading | undefined {
  const digits = digitsOfOrder(order)
  if (digits !== digitsOfOrder(found[0]?.order ?? '')) return reading
  const km = kmOf(entry)
  const { after } = nearest
  if (km === after.km && entry.listingId >= after.id) {
    return { ...reading, upper: placeRange(digits, digits, after.id)[1], after: undefined }
  }
  if (nearest.isWanted({ km, id: entry.listingId })) return reading
  return digits === reading.stretch.from ? undefined : { ...reading, upper: `${digits}#`, after: undefined }
}
