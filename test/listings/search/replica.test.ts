import { describe, expect, it } from 'vitest'
import { spec as rebuildSearch } from '#functions/jobs/rebuild-search'
import { spec as snapshotSearch } from '#functions/jobs/snapshot-search'
import { spec as setKycStatus } from '#functions/kyc/set-kyc-status'
import { spec as searchListings } from '#functions/listings/search-listings'
import { openChangeLog } from '#lib/dynamo/change-log'
import { newId } from '#lib/kernel/id'
import { openCopy } from '#lib/listings/search/copy'
import type { Made } from '#lib/listings/search/make-snapshot'
import { openReplica, type ReplicaDeps } from '#lib/listings/search/replica'
import { SCHEMA_VERSION } from '#lib/listings/search/schema'
import { snapshotPointerKey } from '#lib/listings/search/search.keys'
import type { Snapshots } from '#lib/listings/search/snapshots'
import { snapshotStore } from '#lib/listings/search/snapshots.dynamo'
import { call } from '#test/support/call'
import { testTable } from '#test/support/corpus'
import { aVerifiedAgent, consoleToken } from '#test/support/given'
import { runJob } from '#test/support/jobs'
import { aPublishedListing, found, moderated } from '#test/support/published'

const HOUR = 3_600_000
const LOG = 48 * HOUR

const location = (city: string) => ({
  ...{ country: 'CI', city, district: null, address: null, lat: 1, lng: 1 },
  precision: 'exact' as const,
})

const aListingIn = async (city: string) =>
  aPublishedListing((await aVerifiedAgent()).id, { location: location(city) })

/** A replica of its own, which has read nothing yet. */
const aReplica = (more: Partial<ReplicaDeps> = {}) =>
  openReplica({
    snapshots: snapshotStore.make(),
    readLog: openChangeLog(testTable()).since,
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

  it('reads the log of a listing in any order and ends with its newest version', () => {
    const copy = openCopy()
    const [agent, subject] = [newId('user'), newId('listing')]
    const row = (title: string) =>
      JSON.stringify({
        ...{
          agentId: agent,
          offer: 'rent',
          category: 'house',
          title,
          country: 'CI',
          city: 'A',
          district: null,
        },
        ...{
          lat: null,
          lng: null,
          amount: 1,
          currency: 'XOF',
          rentPeriod: 'day',
          bedrooms: null,
          bathrooms: null,
        },
        ...{
          areaSqm: null,
          availability: 'AVAILABLE',
          publishedAt: '2026-11-01T12:00:00.000Z',
          features: [],
          words: title,
        },
      })
    const titles = () => copy.all('SELECT title FROM listing', []).map(({ title }) => title)
    copy.apply(
      [
        { subject, version: 5, row: row('five') },
        { subject, version: 3, row: row('three') },
      ],
      1,
    )
    expect(titles()).toEqual(['five'])
    copy.apply(
      [
        { subject, version: 7, row: null },
        { subject, version: 6, row: row('six') },
      ],
      2,
    )
    expect(titles()).toEqual([])
    const packed = openCopy(copy.pack(0))
    packed.apply([{ subject, version: 6, row: row('six') }], 3)
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
    const other = snapshotPointerKey(SCHEMA_VERSION + 1)
    await testTable().commit([{ put: { ...other, kind: 'search-snapshots', revision: 9, snapshots: [] } }])
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
