import { describe, expect, it } from 'vitest'
import { heldTo, onTable } from '#lib/dynamo/table'
import { testTable } from '#test/support/test-table'

const key = (word: string) => ({ pk: `${word}#1`, sk: 'X' })
const held = () => heldTo(testTable(), { reads: ['USER', 'gsi1:OWNER'], writes: ['LISTING'] })

describe('the table of a store', () => {
  it('reads the partitions that the store declares, and its indexes', async () => {
    expect(await held().get(key('USER'))).toBeUndefined()
    expect(await held().getMany([key('USER')])).toEqual([])
    expect(await held().queryAll({ partition: 'USER#1' })).toEqual([])
    expect((await held().query({ partition: 'OWNER#1', index: 'gsi1' })).items).toEqual([])
    expect(() => held().check(key('USER'), { when: 'absent' })).not.toThrow()
  })

  it('throws for any other read, a condition alone included', () => {
    const table = held()
    expect(() => table.get(key('LISTING'))).toThrow('This store declares no read of LISTING')
    expect(() => table.getMany([key('USER'), key('PASSWORD')])).toThrow('no read of PASSWORD')
    expect(() => table.query({ partition: 'OWNER#1' })).toThrow('no read of OWNER')
    expect(() => table.queryAll({ partition: 'USER#1', index: 'gsi1' })).toThrow('no read of gsi1:USER')
    expect(() => table.count({ partition: 'EMAIL#1', limit: 1 })).toThrow('no read of EMAIL')
    expect(() => table.check(key('LISTING'), {})).toThrow('no read of LISTING')
  })

  it('throws for a write outside the declaration, also of a partition that is read', () => {
    const table = held()
    expect(() => table.put(key('LISTING'))).not.toThrow()
    expect(() => table.put(key('USER'))).toThrow('This store declares no write of USER')
    expect(() => table.update(key('USER'), { set: {} })).toThrow('no write of USER')
    expect(() => table.remove(key('LISTINGS'))).toThrow('no write of LISTINGS')
    expect(() => table.increment(key('USER'), { count: 1 }, {})).toThrow('no write of USER')
    expect(() => table.writeEach([{ put: key('LISTING') }, { remove: key('USER') }])).toThrow('write of USER')
  })

  it('commits the writes of other stores, which their own tables have allowed', async () => {
    const other = heldTo(testTable(), { reads: ['EMAIL'], writes: ['EMAIL'] })
    await held().commit([held().put(key('LISTING')), other.put(key('EMAIL'))])
    expect(await other.get(key('EMAIL'))).toEqual(key('EMAIL'))
  })
})

describe('the declaration of a store', () => {
  it('grants a function the reads and the writes, and the outbox of events to whoever writes', () => {
    const { uses } = onTable(() => ({}), { reads: ['USER', 'gsi1:OWNER'], writes: ['USER'] })
    expect(uses).toEqual({ USER: ['read', 'write'], 'gsi1:OWNER': ['read'], EVENTS: ['write'] })
    expect(onTable(() => ({}), { reads: ['USER'] }).uses).toEqual({ USER: ['read'] })
  })
})
