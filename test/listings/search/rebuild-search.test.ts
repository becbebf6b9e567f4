import { describe, expect, it } from 'vitest'
import { spec as rebuildSearch } from '#functions/jobs/rebuild-search'
import type { Table } from '#lib/dynamo/table'
import { placesOf } from '#lib/listings/search/lists'
import { openSearchIndex } from '#lib/listings/search/search-index.dynamo'
import { testTable } from '#test/support/corpus'
import { aVerifiedAgent } from '#test/support/given'
import { runJob } from '#test/support/jobs'
import { aListing, COMPLETE, listingOf } from '#test/support/listings'
import { aPublishedListing, followedBySearch, found, moderated } from '#test/support/published'

type Outcome = { rewritten: number; isDone: boolean }
const rebuilt = (deps = {}) => runJob(rebuildSearch, deps) as Promise<Outcome>
const location = (city: string) => ({ country: 'CI', city, district: null, address: null, lat: 1, lng: 1 })

/** Takes the entries of a listing out of the lists, as if they had been written for other lists. */
async function unlisted(table: Table, id: Parameters<typeof listingOf>[0]): Promise<void> {
  for (const entry of await openSearchIndex(table).entered(id)) {
    await table.writeEach(placesOf(entry).map((key) => ({ remove: key })))
  }
}

describe('rebuilding the search', () => {
  it('lists every published listing again, of every agent, and removes the old entries', async () => {
    const agents = [await aVerifiedAgent(), await aVerifiedAgent()]
    const ids = []
    for (const { id } of agents) ids.push(await aPublishedListing(id, { location: location('Rebuilt') }))
    for (const id of ids) await unlisted(testTable(), id)
    expect(await found({ city: 'Rebuilt' })).toEqual([])
    const [first = ''] = ids
    let outcome: Outcome | undefined
    await followedBySearch(ids[0] as never, async () => {
      outcome = await rebuilt()
    })
    expect(outcome).toMatchObject({ isDone: true })
    expect((await found({ city: 'Rebuilt' })).toSorted()).toEqual(ids.toSorted())
    expect(await openSearchIndex(testTable()).entered(first as never)).toHaveLength(1)
  })

  it('leaves drafts and suspended listings out of the search', async () => {
    const { id: agentId } = await aVerifiedAgent()
    const suspended = await aPublishedListing(agentId, { location: location('Hidden') })
    await moderated(suspended, { status: 'SUSPENDED', reasons: ['other'] })
    const draft = await aListing(agentId, { ...COMPLETE, status: 'DRAFT', location: location('Hidden') })
    const versions = [await listingOf(suspended), await listingOf(draft)].map((listing) => listing?.version)
    await rebuilt()
    expect([await listingOf(suspended), await listingOf(draft)].map((one) => one?.version)).toEqual(versions)
    expect(await found({ city: 'Hidden' })).toEqual([])
  })

  it('stops when its time is over, and goes on there in the next run', async () => {
    for (let count = 0; count < 3; count += 1) {
      const { id } = await aVerifiedAgent()
      await aPublishedListing(id, { location: location('Piecewise') })
    }
    const versionOf = async (id: string) => (await listingOf(id as never))?.version ?? 0
    const ids = await found({ city: 'Piecewise' })
    const before = await Promise.all(ids.map(versionOf))
    const runs: Outcome[] = []
    while (runs.at(-1)?.isDone !== true && runs.length < 100) {
      let asked = 0
      // Each look at the clock takes four minutes: a run begins, starts two agents, and is over.
      const now = () => new Date(Date.UTC(2027, 0, 1) + asked++ * 240_000)
      runs.push(await rebuilt({ now }))
    }
    expect(runs.length).toBeGreaterThan(1)
    expect(await Promise.all(ids.map(versionOf))).toEqual(before.map((version) => version + 1))
  })
})
