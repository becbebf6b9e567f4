import { beforeAll, describe, expect, it } from 'vitest'
import { spec as removeOrphans } from '#functions/jobs/remove-orphans'
import { spec as getListing } from '#functions/listings/get-listing'
import { spec as deleteMedia } from '#functions/media/delete-media'
import { spec as updateMedia } from '#functions/media/update-media'
import { writeItem } from '#lib/dynamo/item'
import { timestamp } from '#lib/kernel/clock'
import { type ListingId, MediaId, newId } from '#lib/kernel/id'
import type { Write } from '#lib/kernel/write'
import { openListings } from '#lib/listings/listing-store.dynamo'
import type { ObjectInventory } from '#lib/media/store/object-inventory'
import { objectInventory } from '#lib/media/store/object-inventory.s3'
import { originalStore } from '#lib/media/store/original-store.s3'
import { variantWriter } from '#lib/media/store/variant-store.s3'
import { call } from '#test/support/call'
import { aUser, aVerifiedAgent, consoleToken, type GivenUser } from '#test/support/given'
import { runJob } from '#test/support/jobs'
import { aListing, aMedia, COMPLETE, listingOf } from '#test/support/listings'
import { mediaOf, processed } from '#test/support/media'
import { overtaken } from '#test/support/overtaken'
import { jpeg, png, sample } from '#test/support/pictures'
import { testTable } from '#test/support/test-table'

let agent: GivenUser

beforeAll(async () => {
  agent = await aVerifiedAgent()
})

/** A draft with three pictures that are ready. */
async function pictured(): Promise<{ id: ListingId; ids: string[] }> {
  const id = await aListing(agent.id, { status: 'DRAFT' })
  const media = await processed(id, agent.token, [jpeg(), png(), sample('avif')])
  return { id, ids: media.map((item) => item.id) }
}

/** As it is once a moderator has published it, or suspended it since. */
async function live(
  status: 'PUBLISHED' | 'SUSPENDED' | 'ARCHIVED',
): Promise<{ id: ListingId; ids: string[] }> {
  const { id, ids } = await pictured()
  const media = (await listingOf(id))?.media ?? []
  return { id: await aListing(agent.id, { status, media }), ids }
}

const changed = (id: string, body: unknown, token: string | undefined = agent.token) =>
  call(updateMedia, { params: { id }, token, body })

const deleted = (id: string, mediaId: string, token: string | undefined = agent.token) =>
  call(deleteMedia, { params: { id, mediaId }, token })

const idsOf = (body: { items: { id: string }[] }) => body.items.map(({ id }) => id)

describe('PATCH /listings/{id}/media', () => {
  it.each(['DRAFT', 'PUBLISHED', 'SUSPENDED'] as const)(
    '200 an order acts at once on a %s one',
    async (status) => {
      const { id, ids } = status === 'DRAFT' ? await pictured() : await live(status)
      const before = await listingOf(id)
      const order = [...ids].reverse()
      const answer = await changed(id, { order })
      expect(answer.status).toBe(200)
      expect(idsOf(answer.body)).toEqual(order)
      expect(answer.body).toMatchObject({ items: [{ position: 0 }, { position: 1 }, { position: 2 }] })
      const after = await listingOf(id)
      expect(after).toMatchObject({ version: (before?.version ?? 0) + 1, revision: null })
      expect(answer.headers['etag']).toBe(`"${after?.version}-owner"`)
    },
  )

  it('200 captions say what they are told, trimmed, and null takes one away', async () => {
    const { id, ids } = await pictured()
    const [first = '', second = ''] = ids
    await changed(id, { captions: { [first]: '  The terrace ', [second]: 'The kitchen' } })
    expect(await mediaOf(id)).toMatchObject([
      { caption: 'The terrace' },
      { caption: 'The kitchen' },
      { caption: null },
    ])
    await changed(id, { captions: { [second]: null } })
    expect(await mediaOf(id)).toMatchObject([
      { caption: 'The terrace' },
      { caption: null },
      { caption: null },
    ])
  })

  it('200 orders and captions as many items as there can be, in expressions that DynamoDB takes', async () => {
    const media = Array.from({ length: 80 }, (_, index) =>
      aMedia(index < 40 ? {} : { status: 'REJECTED', reason: 'upload_expired' }),
    )
    const id = await aListing(agent.id, { status: 'DRAFT', media })
    const order = media.map((item) => item.id).reverse()
    const captions = Object.fromEntries(order.map((mediaId, index) => [mediaId, `Room ${index}`]))
    const listings = openListings(testTable())
    const written: Write[] = []
    const commit: typeof listings.commit = async (writes) => {
      written.push(...writes)
      await listings.commit(writes)
    }
    const answer = await call(updateMedia, {
      params: { id },
      token: agent.token,
      body: { order, captions },
      deps: { listings: { ...listings, commit } },
    })
    expect(answer.status).toBe(200)
    expect((await mediaOf(id)).map(({ id: mediaId, caption }) => [mediaId, caption])).toEqual(
      Object.entries(captions),
    )
    // At most 4 KB and 300 operators.
    for (const write of written) {
      const { ConditionExpression: condition = '', UpdateExpression: update = '' } =
        Object.values(writeItem(write, 'any'))[0] ?? {}
      expect(Math.max(condition.length, update.length)).toBeLessThanOrEqual(4096)
      expect((condition.match(/=|<|\(| AND /g) ?? []).length).toBeLessThanOrEqual(300)
    }
  })

  it.each([{}, { order: undefined }])('200 nothing changes by %j', async (body) => {
    const { id } = await pictured()
    const before = await listingOf(id)
    expect((await changed(id, body)).status).toBe(200)
    expect(await listingOf(id)).toEqual(before)
  })

  it('200 a caption that waits and is taken back leaves no revision', async () => {
    const { id, ids } = await live('PUBLISHED')
    await changed(id, { captions: { [ids[0] ?? '']: 'The terrace' } })
    expect((await listingOf(id))?.revision).not.toBeNull()
    await changed(id, { captions: { [ids[0] ?? '']: null } })
    expect(await listingOf(id)).toMatchObject({
      revision: null,
      media: [{ caption: null, pendingCaption: null }, {}, {}],
    })
  })

  const STRANGER = 'med_01KAH3M6XQ8ZJ4T2V7W9C5RBND'
  it.each([
    ['an order that leaves one out', (ids: string[]) => ({ order: ids.slice(1) }), 'order'],
    ['an order that names one twice', (ids: string[]) => ({ order: [...ids.slice(1), ids[1]] }), 'order'],
    ['an order with one of nobody', (ids: string[]) => ({ order: [...ids.slice(1), STRANGER] }), 'order'],
    ['an order with one too many', (ids: string[]) => ({ order: [...ids, STRANGER] }), 'order'],
    ['an order of none', () => ({ order: [] }), 'order'],
    ['an order of things', () => ({ order: [7] }), 'order[0]'],
    ['a caption of nobody', () => ({ captions: { [STRANGER]: 'a' } }), `captions.${STRANGER}`],
    [
      'a caption of __proto__',
      () => JSON.parse('{"captions": {"constructor": "a"}}'),
      'captions.constructor',
    ],
    [
      'a caption that is a book',
      (ids: string[]) => ({ captions: { [ids[0] ?? '']: 'a'.repeat(301) } }),
      'captions.',
    ],
    ['a caption of nothing', (ids: string[]) => ({ captions: { [ids[0] ?? '']: ' ' } }), 'captions.'],
  ])('400 for %s, and nothing changes', async (_, bodyOf, path) => {
    const { id, ids } = await pictured()
    const before = await listingOf(id)
    const { status, body } = await changed(id, bodyOf(ids))
    expect(status).toBe(400)
    expect(body).toMatchObject({ errors: [{ path: expect.stringContaining(path) }] })
    expect(await listingOf(id)).toEqual(before)
  })

  it('412 for whoever saw another version, here and where an item is deleted', async () => {
    const { id, ids } = await pictured()
    const stale = {
      params: { id, mediaId: ids[0] ?? '' },
      token: agent.token,
      headers: { 'if-match': '"1"' },
    }
    expect((await call(updateMedia, { ...stale, body: { order: ids } })).status).toBe(412)
    expect((await call(deleteMedia, stale)).status).toBe(412)
    const fresh = { ...stale, headers: { 'if-match': `"${(await listingOf(id))?.version}"` } }
    expect((await call(deleteMedia, fresh)).status).toBe(204)
  })

  it('403 and 404 for others, an administrator too; 409 when archived', async () => {
    const { id } = await pictured()
    expect((await changed(id, {}, (await aUser()).token)).status).toBe(404)
    expect((await changed(id, {}, await consoleToken())).status).toBe(403)
    const published = await live('PUBLISHED')
    expect((await changed(published.id, {}, (await aUser()).token)).status).toBe(403)
    const archived = await live('ARCHIVED')
    expect((await changed(archived.id, { order: archived.ids })).status).toBe(409)
  })
})

describe('DELETE /listings/{id}/media/{mediaId}', () => {
  it('204 takes the item out at once, and its bytes', async () => {
    const { id, ids } = await pictured()
    const [media] = await mediaOf(id, agent.token)
    const links = [media?.url ?? '', ...(media?.variants ?? []).map(({ url }) => url)]
    expect((await deleted(id, ids[0] ?? '')).status).toBe(204)
    expect((await mediaOf(id)).map((item) => item.id)).toEqual(ids.slice(1))
    for (const link of links) expect((await fetch(link)).status).toBe(404)
    expect((await deleted(id, ids[0] ?? '')).status).toBe(404)
  })

  it('204 for an administrator, and for an item that was never looked at', async () => {
    const { id, ids } = await pictured()
    expect((await deleted(id, ids[1] ?? '', await consoleToken())).status).toBe(204)
    expect(await listingOf(id)).toMatchObject({ media: [{ id: ids[0] }, { id: ids[2] }] })
  })

  it.each(['PUBLISHED', 'SUSPENDED'] as const)(
    '409 keeps the last picture of a %s listing',
    async (status) => {
      const { id, ids } = await live(status)
      const [first = '', second = '', third = ''] = ids
      expect((await deleted(id, first)).status).toBe(204)
      expect((await deleted(id, second)).status).toBe(204)
      const answer = await deleted(id, third)
      expect(answer.status).toBe(409)
      expect(answer.body).toMatchObject({ code: 'media_required' })
    },
  )

  it('keeps one picture even when two go at once', async () => {
    const { id, ids } = await live('PUBLISHED')
    const answers = await Promise.all(ids.map((mediaId) => deleted(id, mediaId)))
    expect(answers.map(({ status }) => status).sort()).toEqual([204, 204, 409])
    expect((await listingOf(id))?.media).toHaveLength(1)
  })

  it('leaves no revision without a change when the last two that wait go at once', async () => {
    const waiting = [aMedia({ isPending: true }), aMedia({ isPending: true })] as const
    const revision = { changes: {}, submittedAt: timestamp(new Date()) }
    const media = [aMedia(), ...waiting]
    const id = await aListing(agent.id, { ...COMPLETE, status: 'PUBLISHED', media, revision })
    const [first, second] = waiting
    const listings = overtaken(openListings(testTable()), 'commit', () => deleted(id, second.id))
    const params = { id, mediaId: first.id }
    const answer = await call(deleteMedia, { params, token: agent.token, deps: { listings } })
    expect(answer.status).toBe(204)
    const left = await listingOf(id)
    expect(left?.media).toHaveLength(1)
    expect(left?.revision).toBeNull()
  })

  it('401, 403, 404 and 409 for whoever and whatever it is not for', async () => {
    const { id, ids } = await pictured()
    const media = ids[0] ?? ''
    const stranger = await aUser()
    expect((await call(deleteMedia, { params: { id, mediaId: media } })).status).toBe(401)
    expect((await deleted(id, media, stranger.token)).status).toBe(404)
    expect((await deleted(id, 'med_nonsense')).status).toBe(404)
    const published = await live('PUBLISHED')
    expect((await deleted(published.id, published.ids[0] ?? '', stranger.token)).status).toBe(403)
    const archived = await live('ARCHIVED')
    expect((await deleted(archived.id, archived.ids[0] ?? '')).status).toBe(409)
    expect((await call(getListing, { params: { id } })).status).toBe(404)
  })
})

describe('the clean-up', () => {
  const originals = originalStore.make()
  const ORPHAN = MediaId.parse('med_01KAH3M6XQ8ZJ4T2V7W9C5RBND')
  const bucket = objectInventory.make()
  /** The bucket is that of every test file, and their listings stand in tables of their own. */
  const partOf = (listingId: ListingId): ObjectInventory => ({
    remove: bucket.remove,
    async *pages(after) {
      for await (const { items, last } of bucket.pages(after))
        yield { items: items.filter(({ name: { name } }) => name.listingId === listingId), last }
    },
  })
  const swept = (id: ListingId, hours: number) =>
    runJob(removeOrphans, {
      now: () => new Date(Date.now() + hours * 3_600_000),
      objects: partOf(id),
    }) as Promise<{
      removed: { kind: string; name: { mediaId: string } }[]
    }>

  it('removes what no listing names, once it is a day old, and nothing else', async () => {
    const { id, ids } = await pictured()
    const facts = { contentType: 'image/jpeg', sha256: (await mediaOf(id))[0]?.sha256 ?? '' }
    await originals.put({ kind: 'image', listingId: id, mediaId: ORPHAN }, jpeg(), facts)
    await variantWriter
      .make()
      .put(
        { listingId: id, mediaId: MediaId.parse(ids[0]), hash: 'of-an-attempt-that-broke' },
        jpeg(),
        'image/jpeg',
      )

    expect((await swept(id, 23)).removed).toEqual([])

    const { removed } = await swept(id, 25)
    expect(removed.map(({ kind, name }) => `${kind} ${name.mediaId}`).sort()).toEqual([
      `original ${ORPHAN}`,
      `variant ${ids[0]}`,
    ])
    for (const media of await mediaOf(id, agent.token)) {
      for (const { url } of [{ url: media.url ?? '' }, ...media.variants])
        expect((await fetch(url)).status).toBe(200)
    }
  })

  it('goes on where it stopped when its time is over', async () => {
    const { id } = await pictured()
    await originals.put({ kind: 'image', listingId: id, mediaId: ORPHAN }, jpeg(), {
      contentType: 'image/jpeg',
      sha256: (await mediaOf(id))[0]?.sha256 ?? '',
    })
    const part = partOf(id)
    const pages = async function* (after: string | undefined) {
      for await (const { items } of part.pages(undefined)) {
        for (const item of items) {
          const last = JSON.stringify(item.name)
          if (after === undefined || last > after) yield { items: [item], last }
        }
      }
    }
    const runs: { removed: object[]; isDone: boolean }[] = []
    while (runs.at(-1)?.isDone !== true && runs.length < 100) {
      let looks = 0
      // The second look at the clock is eleven minutes later: a run handles one page.
      const now = () => new Date(Date.now() + 25 * 3_600_000 + (looks++ > 1 ? 660_000 : 0))
      const sorted = { ...part, pages: (after: string | undefined) => inOrder(pages(after)) }
      runs.push(await runJob(removeOrphans, { now, objects: sorted }))
    }
    expect(runs.length).toBeGreaterThan(2)
    expect(runs.flatMap(({ removed }) => removed)).toHaveLength(1)
  })

  it('removes nothing where more than a twentieth of the bucket is named by no listing', async () => {
    const id = await aListing(agent.id)
    const names = Array.from({ length: 30 }, () => ({
      kind: 'original' as const,
      name: { kind: 'image' as const, listingId: id, mediaId: newId('media') },
    }))
    const removed: unknown[] = []
    const objects: ObjectInventory = {
      remove: async (orphans) => void removed.push(...orphans),
      async *pages() {
        yield { items: names.map((name) => ({ name, modifiedAt: new Date(0) })), last: 'x' }
      },
    }
    const swept = runJob(removeOrphans, { objects })
    await expect(swept).rejects.toThrow('30 of 30 objects are named by no listing')
    expect(removed).toEqual([])
  })
})

/** Pages of one object each, by their keys. */
async function* inOrder<Page extends { last: string }>(pages: AsyncIterable<Page>): AsyncGenerator<Page> {
  const all: Page[] = []
  for await (const page of pages) all.push(page)
  yield* all.sort((one, other) => (one.last < other.last ? -1 : 1))
}
