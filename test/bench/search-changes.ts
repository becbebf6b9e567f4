import { setTimeout as wait } from 'node:timers/promises'
import { openChangeLog } from '#lib/dynamo/change-log'
import { openTable } from '#lib/dynamo/table'
import { timestamp } from '#lib/kernel/clock'
import { inParallel } from '#lib/kernel/parallel'
import type { Listing } from '#lib/listings/listing'
import { openListings } from '#lib/listings/listing-store.dynamo'
import { openReplica } from '#lib/listings/search/replica'
import { connectLocally, createTable, localDynamoClient, startDynamo } from '#lib/local/dynamodb'
import { marketplace } from './marketplace.ts'

// `npm run bench -- search changes`: for 200 seconds, 100 listings with the longest texts change their prices, 4.6 a second, and
// a function's copy catches up twice a second. Prints what it reads for that. Never in `npm test`.

const SECONDS = 200
/** The searches that are measured: the log that they read no longer holds the publications. */
const MEASURED_SECONDS = 70
const CHANGES_A_SECOND = 4.6
const SEARCHES_A_SECOND = 2
const TABLE_NAME = 'bench'

const [made = []] = [...marketplace(100).pieces(100)]
/** The Gothic alphabet: its letters take four bytes each. */
const LETTERS = Array.from({ length: 27 }, (_, letter) => String.fromCodePoint(0x10330 + letter))
/** So many letters in words of five, none like another. */
const longText = (letters: number): string =>
  Array.from({ length: Math.floor(letters / 6) }, (_, word) =>
    [1, 27, 27 ** 2, 1, 1].map((base) => LETTERS[Math.floor(word / base) % 27]).join(''),
  ).join(' ')
const listings = made.map(
  (listing): Listing => ({
    ...listing,
    title: longText(120),
    description: longText(5_000),
    features: Array.from({ length: 50 }, (_, index) => `${index} ${longText(36)}`),
  }),
)

const dynamo = await startDynamo()
try {
  await createTable(localDynamoClient(dynamo.endpoint), TABLE_NAME, { withStream: false })
  const client = connectLocally(dynamo.endpoint)
  const store = openListings(openTable(TABLE_NAME, client))
  const startedAt = Date.now()
  await inParallel(listings, (listing) => store.commit(store.insert(listing)))

  /** What the replica's reads of the running search took. */
  let read = { requests: 0, bytes: 0, units: 0 }
  const measured = openTable(TABLE_NAME, {
    send: async (operation, input) => {
      const answer = await client.send(operation, { ...input, ReturnConsumedCapacity: 'TOTAL' })
      const capacity = 'ConsumedCapacity' in answer ? [answer.ConsumedCapacity ?? []].flat() : []
      read.requests += 1
      read.bytes += Buffer.byteLength(JSON.stringify('Items' in answer ? answer.Items : answer))
      read.units += capacity.reduce((sum, { CapacityUnits = 0 }) => sum + CapacityUnits, 0)
      return answer
    },
  })
  const replica = openReplica({
    snapshots: {
      pointer: async () => ({ revision: 1, snapshots: [{ name: null, sha256: '', position: startedAt }] }),
      load: () => Promise.reject(new Error('There is only the empty snapshot')),
    },
    readLog: openChangeLog(measured).since,
    listings: openListings(measured),
    machineTime: Date.now,
    logMilliseconds: 48 * 3_600_000,
  })

  let isRunning = true
  const change = async (): Promise<number> => {
    let changes = 0
    while (isRunning) {
      const place = changes % listings.length
      const seen = listings[place]
      if (!seen?.price) throw new Error('Every listing has a price')
      const price = { ...seen.price, amount: seen.price.amount - 1 }
      const next = { ...seen, price, version: seen.version + 1, updatedAt: timestamp(new Date()) }
      await store.commit(store.replace(seen, next))
      listings[place] = next
      changes += 1
      await wait(Math.max(0, startedAt + (changes * 1000) / CHANGES_A_SECOND - Date.now()))
    }
    return changes
  }
  const changing = change()
  const searches: (typeof read & { milliseconds: number; failed: boolean })[] = []
  for (let count = 0; count < SECONDS * SEARCHES_A_SECOND; count += 1) {
    read = { requests: 0, bytes: 0, units: 0 }
    const begunAt = performance.now()
    const failed = await replica.upToDate().then(
      () => false,
      () => true,
    )
    searches.push({ ...read, milliseconds: performance.now() - begunAt, failed })
    await wait(Math.max(0, startedAt + ((count + 1) * 1000) / SEARCHES_A_SECOND - Date.now()))
  }
  isRunning = false
  const changes = await changing

  // One search a minute looks back two minutes, and reads the most.
  const later = searches.slice(-MEASURED_SECONDS * SEARCHES_A_SECOND)
  const median = (of: (search: (typeof searches)[number]) => number): number =>
    later.map(of).toSorted((one, other) => one - other)[Math.floor(later.length / 2)] ?? 0
  const most = (of: (search: (typeof searches)[number]) => number): number => Math.max(...later.map(of))
  const line = (of: typeof median) => ({
    requests: of(({ requests }) => requests),
    kilobytes: Math.round(of(({ bytes }) => bytes) / 1_000),
    readUnits: of(({ units }) => units),
    milliseconds: Math.round(of(({ milliseconds }) => milliseconds)),
  })
  console.log({ changes, searches: searches.length, failed: searches.filter(({ failed }) => failed).length })
  console.log({ median: line(median), longerLookBack: line(most) })
} finally {
  await dynamo.stop()
}
