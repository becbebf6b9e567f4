import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { logChange, openChangeLog } from '#lib/dynamo/change-log'
import { type DynamoClient, dynamo } from '#lib/dynamo/client'
import { changeLogKey, changeLogPartitions } from '#lib/dynamo/dynamo.keys'
import type { Item } from '#lib/dynamo/item'
import { itemsOfEntries, queryMerged, readSortKey, recordsById, recordsInOrder } from '#lib/dynamo/lists'
import { readChange, readNewItem } from '#lib/dynamo/stream'
import { TABLE_WRITES } from '#lib/dynamo/table'
import type { Key } from '#lib/kernel/write'
import { testTable } from '#test/support/test-table'

let partitions = 0

/** A partition of its own with items `a`, `b` and so on, in the table and in both indexes. */
async function aPartition(sortKeys: readonly string[]): Promise<string> {
  partitions += 1
  const partition = `QUERY#${partitions}`
  const items = sortKeys.map((sk) => ({
    ...{ pk: partition, sk, gsi1pk: partition, gsi1sk: `1${sk}`, gsi2pk: partition, gsi2sk: `2${sk}` },
    letter: sk,
  }))
  await testTable().writeEach(items.map((put) => ({ put })))
  return partition
}

const keysOf = (items: readonly Item[]) => items.map(({ sk }) => sk)

/** The table, and what it is asked for. */
function asked() {
  const inputs: unknown[] = []
  const send: DynamoClient['send'] = (operation, input) => {
    inputs.push({ operation, ...input })
    return dynamo.send(operation, input)
  }
  return { inputs, table: testTable({ send }) }
}

describe('a query', () => {
  it('reads a partition in order, and newest first where that is asked', async () => {
    const partition = await aPartition(['b', 'c', 'a'])
    const { items, last } = await testTable().query({ partition })
    expect([keysOf(items), last]).toEqual([['a', 'b', 'c'], undefined])
    expect(keysOf((await testTable().query({ partition, descending: true })).items)).toEqual(['c', 'b', 'a'])
    expect(await testTable().query({ partition: 'QUERY#none' })).toEqual({ items: [], last: undefined })
  })

  it('reads what begins with a text, or lies between two, both included', async () => {
    const partition = await aPartition(['a1', 'a2', 'b1', 'c1'])
    expect(keysOf(await testTable().queryAll({ partition, beginsWith: 'a' }))).toEqual(['a1', 'a2'])
    expect(keysOf(await testTable().queryAll({ partition, between: ['a2', 'b1'] }))).toEqual(['a2', 'b1'])
  })

  it.each([
    ['from its start', false, 'b1'],
    ['newest first', true, 'a1'],
  ])(
    'of a range that ended %s before the last of a page asks DynamoDB for nothing, which refuses such a key',
    async (_, descending, after) => {
      const partition = await aPartition(['a1', 'a2', 'a3', 'b1'])
      const { inputs, table } = asked()
      const range = { partition, between: ['a2', 'a3'] as const, descending, limit: 2 }
      expect(await table.query({ ...range, after })).toEqual({ items: [], last: undefined })
      expect(inputs).toEqual([])
      const next = descending ? { after: 'a3', keys: ['a2'] } : { after: 'a2', keys: ['a3'] }
      expect(keysOf((await table.query({ ...range, after: next.after })).items)).toEqual(next.keys)
    },
  )

  it.each(['gsi1', 'gsi2', undefined] as const)('of %s goes on after the last of a page', async (index) => {
    const partition = await aPartition(['a', 'b', 'c'])
    const options = { partition, limit: 2, ...(index && { index }) }
    const first = await testTable().query(options)
    expect(keysOf(first.items)).toEqual(['a', 'b'])
    expect(first.last).toBe(index === undefined ? 'b' : `${index.at(-1)}b`)
    const second = await testTable().query({ ...options, after: first.last })
    expect(keysOf(second.items)).toEqual(['c'])
    const third = await testTable().query({ ...options, descending: true, after: first.last })
    expect(keysOf(third.items)).toEqual(['a'])
  })

  it('reads no more than its limit, however many there are, and counts to its limit', async () => {
    const partition = await aPartition(['a', 'b', 'c', 'd'])
    expect(keysOf(await testTable().queryAll({ partition, limit: 3 }))).toEqual(['a', 'b', 'c'])
    expect(await testTable().count({ partition, limit: 3 })).toBe(3)
    expect(await testTable().count({ partition, limit: 9 })).toBe(4)
    expect(await testTable().count({ partition: 'QUERY#none', limit: 9 })).toBe(0)
  })

  it('of more than DynamoDB answers at once is read and counted to its end', async () => {
    partitions += 1
    const partition = `QUERY#${partitions}`
    const large = { text: '.'.repeat(350_000) }
    const items = ['a', 'b', 'c', 'd', 'e'].map((sk) => ({ put: { pk: partition, sk, ...large } }))
    for (const item of items) await testTable().writeEach([item])
    expect(keysOf(await testTable().queryAll({ partition }))).toEqual(['a', 'b', 'c', 'd', 'e'])
    expect(await testTable().count({ partition, limit: 5 })).toBe(5)
    const { inputs, table: counted } = asked()
    expect(keysOf(await counted.queryAll({ partition, limit: 1 }))).toEqual(['a'])
    expect(inputs, 'pages for what the first holds').toHaveLength(1)
  })
})

describe('a read', () => {
  it('of the table sees what was just written, by key and in merged partitions', async () => {
    const { inputs, table } = asked()
    const partition = await aPartition(['a'])
    await table.get({ pk: partition, sk: 'a' })
    await queryMerged(table, [partition], { limit: 1, after: undefined })
    expect(inputs).toMatchObject([
      { operation: 'GetItem', ConsistentRead: true },
      { operation: 'Query', ConsistentRead: true },
    ])
  })

  it('of merged partitions of an index is in the order of the index, which cannot be read consistently', async () => {
    const { inputs, table } = asked()
    const [one, other] = [await aPartition(['b']), await aPartition(['a', 'c'])]
    const page = await queryMerged(table, [one, other], { limit: 2, after: undefined }, 'gsi1')
    expect([keysOf(page.items), page.next]).toEqual([['a', 'b'], '1b'])
    for (const input of inputs) expect(input).toMatchObject({ IndexName: 'gsi1' })
    for (const input of inputs) expect(input).not.toHaveProperty('ConsistentRead')
  })

  it('that counts asks for no more pages than its limit needs', async () => {
    const { inputs, table } = asked()
    const partition = await aPartition(['a', 'b', 'c'])
    expect(await table.count({ partition, limit: 2 })).toBe(2)
    expect(inputs).toMatchObject([{ Select: 'COUNT', Limit: 2 }])
  })
})

describe('many items', () => {
  const Letter = z.object({ sk: z.string(), letter: z.string() }).transform(({ sk, ...more }) => ({
    id: sk,
    ...more,
  }))

  it('are read and removed in batches, each once', async () => {
    const sortKeys = Array.from({ length: 120 }, (_, index) => `${1_000 + index}`)
    const partition = await aPartition(sortKeys)
    const keys = sortKeys.map((sk): Key => ({ pk: partition, sk }))
    const found = await testTable().getMany([...keys, ...keys])
    expect(keysOf(found).sort()).toEqual(sortKeys)
    await testTable().writeEach(keys.slice(1).map((remove) => ({ remove })))
    expect(keysOf(await testTable().queryAll({ partition }))).toEqual(['1000'])
  })

  it('are records by their ids, in the order of the ids, without those that are gone', async () => {
    const partition = await aPartition(['a', 'b'])
    const keyOf = (sk: string) => ({ pk: partition, sk })
    const ids: string[] = ['b', 'x', 'a']
    const byId = await recordsById(testTable(), ids, keyOf, Letter)
    expect(byId.get('b')).toEqual({ id: 'b', letter: 'b' })
    expect([...byId.keys()].sort()).toEqual(['a', 'b'])
    expect(await recordsInOrder(testTable(), ids, keyOf, Letter)).toEqual([
      { id: 'b', letter: 'b' },
      { id: 'a', letter: 'a' },
    ])
    expect(await recordsById(testTable(), [], keyOf, Letter)).toEqual(new Map())
  })

  it('of index entries follow the order of the entries', async () => {
    const partition = await aPartition(['a', 'b', 'c'])
    const entries = ['c', 'x', 'a'].map((sk) => ({ pk: partition, sk }))
    expect((await itemsOfEntries(testTable(), entries)).map(({ letter }) => letter)).toEqual(['c', 'a'])
  })

  it('of several partitions are one list, in which an item of both is shown once', async () => {
    const [one, other] = [await aPartition(['a', 'c']), await aPartition(['b', 'c', 'd'])]
    const page = (limit: number, after?: string, descending = false) =>
      queryMerged(testTable(), [one, other], { limit, after, descending })
    const first = await page(3)
    expect([keysOf(first.items), first.next]).toEqual([['a', 'b', 'c'], 'c'])
    const last = await page(3, 'c')
    expect([keysOf(last.items), last.next]).toEqual([['d'], undefined])
    expect(keysOf((await page(9, undefined, true)).items)).toEqual(['d', 'c', 'b', 'a'])
  })
})

describe('the log of changes', () => {
  const log = () => openChangeLog(testTable())

  it('has every change since a moment, and counts them', async () => {
    const before = Date.now()
    await testTable().commit([
      logChange(testTable(), 'lst_1', 1, { price: 1 }),
      logChange(testTable(), 'lst_2', 1, { price: 2 }),
    ])
    await testTable().commit([logChange(testTable(), 'lst_1', 2, { price: 3 })])
    const changes = await log().since(before)
    const ofOne = changes.filter(({ subject }) => subject === 'lst_1')
    expect(changes).toHaveLength(3)
    expect(ofOne.map(({ version, price }) => [version, price])).toEqual([
      [1, 1],
      [2, 3],
    ])
    expect(await log().countSince(before, 100)).toBe(3)
    expect(await log().since(Date.now() + 1_000)).toEqual([])
  })

  it('has changes of every day since then', async () => {
    const day = 86_400_000
    const [yesterday, tooOld] = [Date.now() - day, Date.now() - 2 * day]
    for (const at of [yesterday, tooOld])
      await testTable().commit([TABLE_WRITES.put(changeLogKey(new Date(at).toISOString(), 'lst_3', at))])
    const found = await log().since(yesterday - 1)
    expect(found.filter(({ sk }) => String(sk).includes('lst_3'))).toHaveLength(1)
  })

  it('keeps a change for two days and an hour more, and drops it then', () => {
    const write = logChange(testTable(), 'lst_1', 1, {})
    const expires = 'put' in write ? Number(write.put['expiresAtSeconds']) : 0
    expect(Math.abs(expires - Date.now() / 1_000 - 49 * 3_600)).toBeLessThan(60)
  })

  it('spreads a day over partitions that its readers know', () => {
    const at = '2026-11-20T12:00:00.000Z'
    const used = new Set(Array.from({ length: 50 }, (_, index) => changeLogKey(at, `lst_${index}`, 1).pk))
    expect([...used].sort()).toEqual(changeLogPartitions(at))
    expect(changeLogPartitions('2026-11-21T00:00:00.000Z')).not.toContain([...used][0])
  })
})

describe('a condition on counts', () => {
  const key = (sk: string) => ({ pk: 'COUNTS', sk })
  const count = (sk: string, bound: number) =>
    testTable()
      .commit([
        TABLE_WRITES.update(key(sk), { set: {}, add: { open: 1 }, when: { countsBelow: { open: bound } } }),
      ])
      .then(() => true)
      .catch(() => false)

  it('takes a missing count for 0, and refuses at its bound', async () => {
    expect([await count('a', 2), await count('a', 2), await count('a', 2)]).toEqual([true, true, false])
    expect(await count('b', 0)).toBe(false)
  })
})

it('An update removes attributes beside those that it sets and counts.', async () => {
  const key = { pk: 'UPDATE', sk: 'a' }
  await testTable().commit([TABLE_WRITES.put({ ...key, one: 1, two: 2, three: 3 })])
  await testTable().commit([
    TABLE_WRITES.update(key, { set: { four: 4 }, remove: ['one', 'two'], add: { three: 1 } }),
  ])
  expect(await testTable().get(key)).toEqual({ ...key, three: 4, four: 4 })
})

describe('a change of the stream', () => {
  const image = (value: string) => ({ pk: { S: value } })

  it('shows the item before and after it', () => {
    const body = JSON.stringify({ dynamodb: { OldImage: image('old'), NewImage: image('new') } })
    expect(readChange(body)).toEqual({ before: { pk: 'old' }, after: { pk: 'new' } })
    expect(readNewItem(body)).toEqual({ pk: 'new' })
  })

  it('that removed its item leaves none', () => {
    const body = JSON.stringify({ dynamodb: { OldImage: image('old') } })
    expect(readChange(body)).toEqual({ before: { pk: 'old' }, after: undefined })
    expect(() => readNewItem(body)).toThrow('removed')
  })
})

it('An order holds its moment and its id, whatever the id holds.', () => {
  expect(readSortKey('2026-11-20T12:00:00.000Z#lst_1#2')).toEqual({
    at: '2026-11-20T12:00:00.000Z',
    id: 'lst_1#2',
  })
})
