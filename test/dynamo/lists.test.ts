import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { queryShards, shardedKey } from '#lib/dynamo/lists'
import { testTable } from '#test/support/test-table'

let lists = 0

/** A list of its own that holds these. */
async function aList(orders: readonly string[]): Promise<string> {
  lists += 1
  const list = `LIST-${lists}`
  await testTable().writeEach(orders.map((order) => ({ put: shardedKey(list, order) })))
  return list
}

/** Everything in a list, page by page. */
async function readAll(list: string, limit: number, descending: boolean): Promise<string[]> {
  const seen: string[] = []
  for (let after: string | undefined, isFirst = true; isFirst || after !== undefined; isFirst = false) {
    const { items, next } = await queryShards(testTable(), list, { limit, after, descending })
    expect(items.length).toBeLessThanOrEqual(limit)
    seen.push(...items.map((item) => String(item['sk'])))
    after = next
  }
  return seen
}

describe('a list that is spread over partitions', () => {
  it('is read whole and in order, each entry once, whatever the page', async () => {
    const orders = fc.uniqueArray(fc.stringMatching(/^[0-9A-Z#-]{1,12}$/), { maxLength: 40 })
    await fc.assert(
      fc.asyncProperty(
        orders,
        fc.integer({ min: 1, max: 12 }),
        fc.boolean(),
        async (given, limit, descending) => {
          const list = await aList(given)
          const sorted = [...given].sort()
          expect(await readAll(list, limit, descending)).toEqual(descending ? sorted.reverse() : sorted)
        },
      ),
      { numRuns: 40 },
    )
  })

  it('says that there is no more when there is none, though a page is full', async () => {
    const list = await aList(['A', 'B', 'C', 'D'])
    expect(await queryShards(testTable(), list, { limit: 4, after: undefined })).toMatchObject({
      items: [{}, {}, {}, {}],
    })
    expect(await readAll(list, 4, false)).toEqual(['A', 'B', 'C', 'D'])
  })

  it('skips no entry of a partition of which DynamoDB reads less than a page, since its entries are large', async () => {
    lists += 1
    const list = `LIST-${lists}`
    const orders = Array.from({ length: 160 }, (_, place) => `${place}`.padStart(3, '0'))
    const isLarge = ({ pk }: { pk: string }) => pk.endsWith('#0')
    const keys = orders.map((order) => shardedKey(list, order))
    await testTable().writeEach(
      keys.map((key) => ({ put: { ...key, text: 'a'.repeat(isLarge(key) ? 60_000 : 1) } })),
    )
    expect(await readAll(list, 100, false)).toEqual(orders)
    expect(await readAll(list, 100, true)).toEqual(orders.toReversed())
  })

  it('an empty list has one empty page', async () => {
    expect(await queryShards(testTable(), 'LIST-EMPTY', { limit: 5, after: undefined })).toEqual({
      items: [],
      next: undefined,
    })
  })

  it('goes on after an entry that is gone', async () => {
    const list = await aList(['A', 'C', 'E'])
    const { items } = await queryShards(testTable(), list, { limit: 9, after: 'B' })
    expect(items.map((item) => item['sk'])).toEqual(['C', 'E'])
  })

  it('is spread over several partitions, and an entry is always in the same', () => {
    const partitions = Array.from({ length: 200 }, (_, index) => shardedKey('LIST', `entry-${index}`).pk)
    expect(new Set(partitions).size).toBe(4)
    expect(Array.from({ length: 200 }, (_, index) => shardedKey('LIST', `entry-${index}`).pk)).toEqual(
      partitions,
    )
  })
})
