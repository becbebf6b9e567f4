import { curveKm2 } from './cell.ts'
import { cover, joined, type Ring, type Stretch } from './cover.ts'
import type { nearestOf } from './nearest.ts'
import { type Place, remember } from './place.ts'
import { digitsOfOrder, placeRange, pointOfOrder, startOfCell, startOfPoint } from './search.keys.ts'
import type { ListedEntry } from './search-index.ts'

type Sweep = {
  nearest: ReturnType<typeof nearestOf>
  perKm2: number
  answered: number
  /** The order at which an earlier page stopped. */
  below: string | undefined
}

/** A stretch that is being read downwards, from `after` or from its upper end. */
type Reading = {
  stretch: Stretch
  upper: string
  after: string | undefined
  /** No entry of the stretch was skipped. */
  isWhole: boolean
}

/**
 * The share of the remaining queries that a batch of stretches may begin with. The rest finishes the batch, or sweeps
 * another ring. A ring takes more than a disc, since it has two rims.
 */
const SHARE_OF_QUERIES = { disc: 0.45, ring: 0.6 }

/** The cells that cover a ring have this part of its radius, before stretches are joined. */
const GRAIN = 12

/** How many stretches a batch is joined from: mostly a whole ring. */
const STRETCHES_IN_A_BATCH = 128

/**
 * Offers every entry of a ring to the nearest. Returns the order at which the budget ran out, or undefined when the
 * ring is swept.
 */
export async function sweep(place: Place, ring: Ring, job: Sweep): Promise<string | undefined> {
  const { budget, known } = place
  for (const neighbour of known.neighbours) job.nearest.add(neighbour)
  const resumed = job.below === undefined ? undefined : digitsOfOrder(job.below)
  const stretches = cover(ring, grainKm(ring, job.answered), { below: resumed, known: known.ranges })
  let lowest = job.below
  for (;;) {
    const fine = take(stretches, STRETCHES_IN_A_BATCH)
    if (fine.length === 0) return undefined
    const most = Math.floor(budget.queries * SHARE_OF_QUERIES[ring.innerKm > 0 ? 'ring' : 'disc'])
    if (most < 1) return lowest
    const batch = joined(fine, most)
    const readings = batch.map(
      (stretch): Reading => ({
        stretch,
        upper: placeRange(stretch.from, stretch.to)[1],
        after: stretch.to === resumed ? job.below : undefined,
        isWhole: stretch.to !== resumed,
      }),
    )
    const brokeOff = await readAll(place, readings, job)
    if (brokeOff !== undefined) return brokeOff
    lowest = startOfCell(batch.at(-1)?.from ?? '')
  }
}

/**
 * Far down a list a ring is long and thin. Finer cells keep it from holding mostly listings that were answered
 * before.
 */
const grainKm = ({ outerKm }: Ring, answered: number): number =>
  outerKm * Math.min(1 / GRAIN, Math.sqrt(38 / Math.max(1, answered)))

/** The next few of a sequence. */
function take<T>(sequence: Iterator<T>, count: number): T[] {
  const taken: T[] = []
  while (taken.length < count) {
    const { value, done } = sequence.next()
    if (done) break
    taken.push(value)
  }
  return taken
}

/** Reads stretches to their ends. Returns the highest order at which a stretch had to stop. */
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
  const expected = Math.ceil(2 * job.perKm2 * curveKm2(stretch.from, stretch.to)) + 3
  const { found, isEnd } = await place.index.read({
    partition: place.partitionOf(stretch.from),
    between: [placeRange(stretch.from, stretch.to)[0], upper],
    descending: true,
    limit: Math.max(1, Math.min(most, expected)),
    after,
  })
  for (const neighbour of remember(place, found)) job.nearest.add(neighbour)
  const lastRead = found.at(-1)
  if (isEnd || lastRead === undefined) {
    if (reading.isWhole) place.known.ranges.push(placeRange(stretch.from, stretch.to))
    return undefined
  }
  return beyondCrowd(place, { ...reading, after: lastRead.order }, found, lastRead, job)
}

/**
 * Many listings may share one point exactly. There ids descend: after the first that is too far down the order, or
 * that an earlier page answered, the rest of the point is skipped. The rest of the cell is still read, since it lies
 * at other distances.
 */
function beyondCrowd(
  { kmOf }: Place,
  reading: Reading,
  found: readonly ListedEntry[],
  { order, entry }: ListedEntry,
  { nearest }: Sweep,
): Reading {
  if (pointOfOrder(order) !== pointOfOrder(found[0]?.order ?? '')) return reading
  const km = kmOf(entry)
  const { after } = nearest
  const below = (upper: string): Reading => ({ ...reading, upper, after: undefined, isWhole: false })
  if (km === after.km && entry.listingId >= after.id) return below(startOfPoint(order, after.id))
  return nearest.isWanted({ km, id: entry.listingId }) ? reading : below(startOfPoint(order))
}
