import { describe, expect, it } from 'vitest'
import { spec as rebuildSearch } from '#functions/jobs/rebuild-search'
import { spec as snapshotSearch } from '#functions/jobs/snapshot-search'
import { spec as setKycStatus } from '#functions/kyc/set-kyc-status'
import { spec as searchListings } from '#functions/listings/search-listings'
import { openChangeLog } from '#lib/dynamo/change-log'
import { TABLE_WRITES } from '#lib/dynamo/table'
import { newId } from '#lib/kernel/id'
import type { ListingDraft } from '#lib/listings/fields'
import { FIELD_NAMES } from '#lib/listings/fields'
import type { Listing } from '#lib/listings/listing'
import { openListings } from '#lib/listings/listing-store.dynamo'
import { openCopy } from '#lib/listings/search/copy'
import type { Made } from '#lib/listings/search/make-snapshot'
import { openReplica, type ReplicaDeps } from '#lib/listings/search/replica'
import { sampleListings } from '#lib/listings/search/sample-listings'
import { schemaVersion } from '#lib/listings/search/schema-version.derived'
import { snapshotPointerKey } from '#lib/listings/search/search.keys'
import { wholeChangeOf } from '#lib/listings/search/search-row'
import type { Snapshots } from '#lib/listings/search/snapshots'
import { snapshotStore } from '#lib/listings/search/snapshots.dynamo'
import { call } from '#test/support/call'
import { insertAll, published } from '#test/support/corpus'
import { aVerifiedAgent, consoleToken } from '#test/support/given'
import { runJob } from '#test/support/jobs'
import { aPublishedListing, found, moderated } from '#test/support/published'
import { testTable } from '#test/support/test-table'

const HOUR = 3_600_000
const LOG = 48 * HOUR

const location = (city: string) => ({
  ...{ country: 'CI', city, district: null, address: null, lat: 1, lng: 1 },
  precision: 'exact' as const,
})

const aHouse = (draft: Partial<ListingDraft> = {}) =>
  published(newId('user'), {
    ...{ offer: 'rent', category: 'house', price: { amount: 90_000, currency: 'XOF' } },
    location: location('Accra'),
    ...draft,
  })

const aListingIn = async (city: string) =>
  aPublishedListing((await aVerifiedAgent()).id, { location: location(city) })

/** A replica of its own, which has read nothing yet. */
const aReplica = (more: Partial<ReplicaDeps> = {}) =>
  openReplica({
    snapshots: snapshotStore.make(),
    readLog: openChangeLog(testTable()).since,
    listings: openListings(testTable()),
    machineTime: Date.now,
    logMilliseconds: LOG,
    ...more,
  })

const searchBy = (deps: Partial<ReplicaDeps> = {}, city = 'Nowhere') =>
  call(searchListings, { query: { city }, deps: { replica: aReplica(deps) } })

const citiesIn = async (replica: ReturnType<typeof aReplica>) =>
  (await replica.upToDate()).all('SELECT city FROM place', []).map(({ city }) => city)

const rebuilt = (deps = {}) => runJob<Made>(rebuildSearch, deps)
const snapshots = () => snapshotStore.make()
const pointer = async () => {
  const seen = await snapshots().pointer()
  if (!seen) throw new Error('There is no pointer')
  return seen
}

describe('a search copy', () => {
  it('a new function’s copy holds what the snapshot and the log hold together', async () => {
    const before = await aListingIn('Snapshotted')
    expect(await rebuilt()).toMatchObject({ isMade: true })
    const after = await aListingIn('Snapshotted')
    const { body } = await searchBy({}, 'Snapshotted')
    expect(body).toMatchObject({ items: [{ id: after }, { id: before }], total: 2 })
  })

  it('a rebuild for a release is made only while there is no snapshot', async () => {
    const asked = { onlyIfMissing: true }
    expect(await runJob<Made>(rebuildSearch, {}, asked)).toMatchObject({ isMade: false })
    const missing = { ...snapshots(), pointer: async () => undefined, setPointer: async () => undefined }
    expect(await runJob<Made>(rebuildSearch, { snapshots: missing }, asked)).toMatchObject({ isMade: true })
  })

  it('the version of the schema is made of listings with every field', () => {
    const [most] = sampleListings()
    const empty = FIELD_NAMES.filter((name) => [most?.[name] ?? []].flat().length === 0)
    expect(empty).toEqual([])
    expect(schemaVersion()).toMatch(/^[\w-]{16}$/)
  })

  it('reads the log of a listing in any order and ends with its newest version', () => {
    const copy = openCopy()
    const subject = newId('listing')
    const change = (version: number, title: string) =>
      wholeChangeOf({ ...aHouse({ title }), id: subject, version })
    const titles = () => copy.all('SELECT title FROM listing', []).map(({ title }) => title)
    copy.apply([change(5, 'five'), change(3, 'three')], 1)
    expect(titles()).toEqual(['five'])
    copy.apply([{ subject, version: 7, row: null, texts: null }, change(6, 'six')], 2)
    expect(titles()).toEqual([])
    const packed = openCopy(copy.pack(0))
    packed.apply([change(6, 'six')], 3)
    expect(packed.all('SELECT title FROM listing', [])).toEqual([])
  })

  it('opens the snapshot before the newest where that one is missing or damaged', async () => {
    const id = await aListingIn('Damaged')
    await rebuilt()
    await rebuilt()
    const [newest] = (await pointer()).snapshots
    const broken = (name: string | null): Pick<Snapshots, 'pointer' | 'load'> => ({
      ...snapshots(),
      load: (snapshot) =>
        snapshot.name === name ? Promise.reject(new Error('NoSuchKey')) : snapshots().load(snapshot),
    })
    expect((await searchBy({ snapshots: broken(newest?.name ?? '') }, 'Damaged')).body).toMatchObject({
      items: [{ id }],
    })
    const damaged = { ...snapshots(), load: async () => new Uint8Array(5_000) }
    expect(await searchBy({ snapshots: damaged }, 'Damaged')).toMatchObject({
      status: 503,
      body: { code: 'unavailable' },
      headers: { 'retry-after': '1' },
    })
    await snapshots().remove(newest?.name ?? '')
    expect((await searchBy({}, 'Damaged')).body).toMatchObject({ items: [{ id }] })
    await rebuilt()
    expect((await searchBy({}, 'Damaged')).body).toMatchObject({ items: [{ id }] })
  })

  it('refuses a snapshot of another schema, which no function of this version is named', async () => {
    const other = snapshotPointerKey('another')
    await testTable().commit([
      TABLE_WRITES.put({ ...other, kind: 'search-snapshots', revision: 9, snapshots: [] }),
    ])
    expect((await searchBy()).status).toBe(200)
    const none = { ...snapshots(), pointer: async () => undefined }
    expect((await searchBy({ snapshots: none })).status).toBe(503)
  })

  it('answers 503 once the log no longer reaches back to the newest snapshot, and is whole again after the job', async () => {
    const id = await aListingIn('Outrun')
    await rebuilt()
    const machineTime = () => Date.now() + LOG + HOUR
    expect((await searchBy({ machineTime }, 'Outrun')).status).toBe(503)
    expect(await runJob<Made>(snapshotSearch, { machineTime })).toMatchObject({ isMade: true })
    expect((await searchBy({ machineTime }, 'Outrun')).body).toMatchObject({ items: [{ id }] })
    await rebuilt()
  })

  it('answers 503 after two seconds of waiting for the log, and does not answer from what it has', async () => {
    const startedAt = Date.now()
    const answer = await searchBy({ readLog: () => new Promise(() => {}) })
    expect(answer).toMatchObject({ status: 503, headers: { 'retry-after': '1' } })
    expect(Date.now() - startedAt).toBeLessThan(4_000)
  })

  it('an idle copy loads the newer snapshot after an hour, and a busy one reads the log alone', async () => {
    let [ahead, loaded] = [0, 0]
    const counting = {
      ...snapshots(),
      pointer: () => {
        loaded += 1
        return snapshots().pointer()
      },
    }
    const replica = aReplica({ snapshots: counting, machineTime: () => Date.now() + ahead })
    await replica.upToDate()
    await aListingIn('Idle')
    expect(await citiesIn(replica)).toContain('Idle')
    expect(loaded).toBe(1)
    ahead = HOUR
    expect(await citiesIn(replica)).toContain('Idle')
    expect(loaded).toBe(2)
  })

  it('shares a catch-up among callers who wait, never one that had begun before they came', async () => {
    let reads = 0
    const replica = aReplica({
      readLog: async () => {
        reads += 1
        return []
      },
    })
    await Promise.all(Array.from({ length: 10 }, () => replica.upToDate()))
    expect(reads).toBe(1)
    const first = replica.upToDate()
    await Promise.resolve().then(() => undefined)
    await Promise.all([first, ...Array.from({ length: 10 }, () => replica.upToDate())])
    expect(reads).toBeLessThanOrEqual(3)
  })

  it('loses an agent with one row of the log, whatever the number of listings', async () => {
    const agent = await aVerifiedAgent()
    for (let count = 0; count < 3; count += 1) {
      await aPublishedListing(agent.id, { location: location('Banned') })
    }
    const log = openChangeLog(testTable())
    const before = (await log.since(Date.now() - HOUR)).length
    await call(setKycStatus, {
      token: await consoleToken(),
      body: { userId: agent.id, kycStatus: 'REJECTED', reasons: ['other'] },
    })
    expect((await log.since(Date.now() - HOUR)).length).toBe(before + 1)
    expect(await found({ city: 'Banned' })).toEqual([])
  })
})

describe('the log of changes', () => {
  /** A public listing whose texts are as long as texts can be, in characters of three bytes. */
  const aWordyHouse = () =>
    aHouse({
      title: 'ก'.repeat(120),
      description: `terrace ${aText(4_900)}`,
      features: Array.from({ length: 50 }, (_, n) => `${n} ${'ก'.repeat(37)}`),
    })
  /** Words of five letters, none like another. */
  const aText = (length: number) =>
    Array.from({ length: length / 6 }, (_, word) =>
      [1, 46, 46 ** 2, 1, 1]
        .map((base) => String.fromCodePoint(0x0e01 + (Math.floor(word / base) % 46)))
        .join(''),
    ).join(' ')
  const changed = async (seen: Listing, more: Partial<Listing>): Promise<Listing> => {
    const next = { ...seen, ...more, version: seen.version + 1 }
    const listings = openListings(testTable())
    await listings.commit(listings.replace(seen, next))
    return next
  }
  const bytesLogged = async (subject: string) =>
    (await openChangeLog(testTable()).since(Date.now() - HOUR))
      .filter((item) => item['subject'] === subject)
      .map((item) => Buffer.byteLength(JSON.stringify(item)))
  /** A replica of its own, and how many listings it has read. */
  const aReader = (more: Partial<ReplicaDeps> = {}) => {
    const listings = openListings(testTable())
    const read: string[] = []
    const getMany: typeof listings.getMany = (ids) => {
      read.push(...ids)
      return listings.getMany(ids)
    }
    return { replica: aReplica({ listings: { ...listings, getMany }, ...more }), read }
  }
  const shownBy = async (replica: ReturnType<typeof aReplica>, id: string) => {
    const copy = await replica.upToDate()
    const [row] = copy.all(
      `SELECT amount, availability FROM listing
       WHERE id = ? AND n IN (SELECT rowid FROM words WHERE words MATCH ?)`,
      [id, 'terrace'],
    )
    return row
  }

  it('holds the texts of a listing once, not of its further changes', async () => {
    const house = aWordyHouse()
    await insertAll([house])
    const cheaper = await changed(house, { price: { amount: 80_000, currency: 'XOF' } })
    const offered = await changed(cheaper, { availability: 'UNDER_OFFER' })
    const paused = await changed(offered, { availability: 'PAUSED' })
    const returned = await changed(paused, { availability: 'AVAILABLE' })
    await changed(returned, { title: 'Another title' })
    const [first = 0, ...others] = await bytesLogged(house.id)
    expect(first).toBeGreaterThan(15_000)
    expect(others.slice(0, -1).filter((bytes) => bytes > 1_000)).toEqual([])
    expect(others).toHaveLength(5)
    expect(others.at(-1)).toBeGreaterThan(15_000)
  })

  it('a new price is applied to the copy without reading the listing, and a listing that returns is read once', async () => {
    const { replica, read } = aReader()
    await replica.upToDate()
    read.length = 0
    const house = aWordyHouse()
    await insertAll([house])
    expect(await shownBy(replica, house.id)).toEqual({ amount: 90_000, availability: 'AVAILABLE' })
    const cheaper = await changed(house, { price: { amount: 80_000, currency: 'XOF' } })
    expect(await shownBy(replica, house.id)).toEqual({ amount: 80_000, availability: 'AVAILABLE' })
    const paused = await changed(cheaper, { availability: 'PAUSED' })
    expect(await shownBy(replica, house.id)).toBeUndefined()
    expect(read).toEqual([])
    const returned = await changed(paused, { availability: 'UNDER_OFFER' })
    expect(await shownBy(replica, house.id)).toEqual({ amount: 80_000, availability: 'UNDER_OFFER' })
    expect(read).toEqual([house.id])
    await changed(returned, { price: { amount: 70_000, currency: 'XOF' } })
    expect(await shownBy(replica, house.id)).toEqual({ amount: 70_000, availability: 'UNDER_OFFER' })
    expect(read).toEqual([house.id])
  })

  it('a copy without the texts that a change follows reads the listing', async () => {
    const house = aWordyHouse()
    await insertAll([house])
    await changed(house, { price: { amount: 80_000, currency: 'XOF' } })
    const log = openChangeLog(testTable())
    const readLog = async (from: number) =>
      (await log.since(from)).filter((item) => item['version'] !== house.version)
    const { replica, read } = aReader({ readLog })
    expect(await shownBy(replica, house.id)).toEqual({ amount: 80_000, availability: 'AVAILABLE' })
    expect(read).toContain(house.id)
  })

  it('the next snapshot holds listings that returned, with their texts', async () => {
    const house = aWordyHouse()
    await insertAll([house])
    await rebuilt()
    const paused = await changed(house, { availability: 'PAUSED' })
    const log = { ...openChangeLog(testTable()), countSince: async () => 3_000 }
    expect(await runJob<Made>(snapshotSearch, { log })).toMatchObject({ isMade: true })
    await changed(paused, { availability: 'AVAILABLE' })
    expect(await runJob<Made>(snapshotSearch, { log })).toMatchObject({ isMade: true })
    const ofSnapshot = aReplica({ readLog: async () => [] })
    expect(await shownBy(ofSnapshot, house.id)).toEqual({ amount: 90_000, availability: 'AVAILABLE' })
  })
})

describe('the job of snapshots', () => {
  const run = (later = 0) => runJob<Made>(snapshotSearch, { machineTime: () => Date.now() + later })

  it('makes none where nothing changed, one five minutes after a change, and one twice a day in any case', async () => {
    await rebuilt()
    expect(await run()).toMatchObject({ isMade: false })
    expect(await run(6 * 60_000)).toMatchObject({ isMade: false })
    const id = await aListingIn('Timely')
    expect(await run()).toMatchObject({ isMade: false })
    expect(await run(6 * 60_000)).toMatchObject({ isMade: true })
    await rebuilt()
    expect(await run(13 * HOUR)).toMatchObject({ isMade: true })
    await rebuilt()
    expect(await found({ city: 'Timely' })).toEqual([id])
  })

  it('makes one at once when the newest is missing, of the listings themselves where no other can be read', async () => {
    const id = await aListingIn('Missing')
    await rebuilt()
    for (const { name } of (await pointer()).snapshots) await snapshots().remove(name ?? '')
    expect((await searchBy({}, 'Missing')).status).toBe(503)
    expect(await run()).toMatchObject({ isMade: true })
    expect((await searchBy({}, 'Missing')).body).toMatchObject({ items: [{ id }] })
  })

  it('makes one at once when the log has grown past what a copy should read', async () => {
    await rebuilt()
    const log = { ...openChangeLog(testTable()), countSince: async () => 3_000 }
    expect(await runJob<Made>(snapshotSearch, { log })).toMatchObject({ isMade: true })
  })

  it('beside another ends in one pointer, whose snapshot is there', async () => {
    await aListingIn('Twice')
    const made = await Promise.all([rebuilt(), rebuilt(), rebuilt()])
    expect(made.filter(({ isMade }) => isMade)).toHaveLength(1)
    expect(await citiesIn(aReplica())).toContain('Twice')
  })

  it('forgets no removal that an older row of the log could undo', async () => {
    const id = await aListingIn('Removed')
    await moderated(id, { status: 'SUSPENDED', reasons: ['other'] })
    await rebuilt()
    expect((await searchBy({}, 'Removed')).body).toMatchObject({ items: [], total: 0 })
  })
})
