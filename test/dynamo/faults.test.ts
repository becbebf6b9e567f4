import { afterAll, afterEach, beforeAll, describe, expect, inject, it } from 'vitest'
import { connect } from '#lib/dynamo/client'
import type { Table } from '#lib/dynamo/table'
import { TABLE_WRITES } from '#lib/dynamo/table'
import type { Key } from '#lib/kernel/write'
import { type Faults, type FaultyDynamo, startFaultyDynamo } from '#test/support/faulty-dynamo'
import { testTable } from '#test/support/test-table'

let dynamo: FaultyDynamo
let table: Table

beforeAll(async () => {
  dynamo = await startFaultyDynamo(inject('stack').dynamoEndpoint)
  const client = connect({ endpoint: dynamo.endpoint })
  table = testTable(client)
})
afterEach(() => dynamo.make(undefined))
afterAll(() => dynamo.stop())

const faults = (more: Partial<Faults>): Faults => ({
  seed: 7,
  holdMilliseconds: 0,
  lostAnswers: 0,
  throttles: 0,
  lagMilliseconds: 0,
  ...more,
})

let keys = 0
const aKey = (): Key => {
  keys += 1
  return { pk: `FAULTS#${keys}`, sk: 'TEST' }
}

const times = <T>(count: number, task: (index: number) => Promise<T>) =>
  Promise.all(Array.from({ length: count }, (_, index) => task(index)))

describe('a lost answer', () => {
  it('to a write on the condition that nothing is there leaves a success, once', async () => {
    dynamo.make(faults({ lostAnswers: 0.1 }))
    const written: Key[] = []
    // Of twenty answers at once it is left to their order which are lost, now and then none.
    while (dynamo.counts.lost === 0) {
      const keys = Array.from({ length: 20 }, aKey)
      await Promise.all(
        keys.map((key) => table.commit([TABLE_WRITES.put({ ...key, by: 'me' }, { when: 'absent' })])),
      )
      written.push(...keys)
    }
    dynamo.make(undefined)
    expect(await table.getMany(written)).toHaveLength(written.length)
  })

  it('does not turn what another writer has stored into one’s own', async () => {
    const key = aKey()
    await table.commit([TABLE_WRITES.put({ ...key, by: 'another' })])
    dynamo.make(faults({ lostAnswers: 0.1 }))
    const own = () => table.commit([TABLE_WRITES.put({ ...key, by: 'me' }, { when: 'absent' })])
    const outcomes = await Promise.allSettled(Array.from({ length: 20 }, own))
    expect(outcomes.every(({ status }) => status === 'rejected')).toBe(true)
    dynamo.make(undefined)
    expect(await table.get(key)).toEqual({ ...key, by: 'another' })
  })

  it('to one of many writers of a version lets no two of them win', async () => {
    const key = aKey()
    await table.commit([TABLE_WRITES.put({ ...key, version: 0, at: 0 })])
    dynamo.make(faults({ lostAnswers: 0.1 }))
    const won = await times(10, async (writer) => {
      const { version } = (await table.get(key)) as { version: number }
      const set = { version: version + 1, writer, [`by${writer}`]: true }
      return table.commit([TABLE_WRITES.update(key, { set, when: { equals: { version } } })]).then(
        () => writer,
        () => undefined,
      )
    })
    dynamo.make(undefined)
    const stored = (await table.get(key)) ?? {}
    const marks = Object.keys(stored).filter((name) => name.startsWith('by'))
    expect(won.filter((writer) => writer !== undefined).length).toBeLessThanOrEqual(marks.length)
    expect(stored['version']).toBe(marks.length)
  })

  it('to a transaction carries it out once', async () => {
    const counter = aKey()
    dynamo.make(faults({ lostAnswers: 0.1 }))
    for (let count = 0; count < 20; count += 1) {
      await table.commit([
        TABLE_WRITES.update(counter, { set: {}, add: { sum: 1 } }),
        TABLE_WRITES.put(aKey()),
      ])
    }
    expect(dynamo.counts.lost).toBeGreaterThan(0)
    dynamo.make(undefined)
    expect((await table.get(counter))?.['sum']).toBe(20)
  })

  it('to an increment counts it once', async () => {
    const counter = aKey()
    dynamo.make(faults({ lostAnswers: 0.1 }))
    const turns: unknown[] = []
    for (let count = 0; count < 20; count += 1) {
      turns.push((await table.increment(counter, { sum: 1 }, {}))['sum'])
    }
    expect(turns).toEqual(Array.from({ length: 20 }, (_, turn) => turn + 1))
  })
})

describe('items that a transaction holds', () => {
  it('are waited for by twenty at once, and every transaction is carried out', async () => {
    const shared = aKey()
    dynamo.make(faults({ holdMilliseconds: 25 }))
    await times(20, () =>
      table.commit([TABLE_WRITES.update(shared, { set: {}, add: { sum: 1 } }), TABLE_WRITES.put(aKey())]),
    )
    expect(dynamo.counts.conflicts).toBeGreaterThan(0)
    expect((await table.get(shared))?.['sum']).toBe(20)
  })
})

describe('throttled requests', () => {
  it('are tried again, of every kind', async () => {
    dynamo.make(faults({ throttles: 0.2 }))
    const written = Array.from({ length: 60 }, aKey)
    await table.writeEach(written.map((key) => ({ put: key })))
    expect(await table.getMany(written)).toHaveLength(60)
    await times(20, () => table.commit([TABLE_WRITES.put(aKey()), TABLE_WRITES.put(aKey())]))
    await times(20, () => table.commit([TABLE_WRITES.put(aKey(), { when: 'absent' })]))
    expect(dynamo.counts.throttled).toBeGreaterThan(0)
  })

  it('endless throttling is unavailable, within seconds', async () => {
    dynamo.make(faults({ throttles: 1 }))
    const startedAt = performance.now()
    const refusals = await Promise.allSettled([
      table.getMany([aKey()]),
      table.writeEach([{ put: aKey() }]),
      table.commit([TABLE_WRITES.put(aKey()), TABLE_WRITES.put(aKey())]),
    ])
    for (const refusal of refusals) expect(refusal).toMatchObject({ reason: { code: 'unavailable' } })
    expect(performance.now() - startedAt).toBeLessThan(6_000)
  })
})
