import {
  TransactionCanceledException,
  TransactionConflictException,
  TransactionInProgressException,
} from '@aws-sdk/client-dynamodb'
import fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import { type DynamoClient, dynamo } from '#lib/dynamo/client'
import { openTable, TABLE_WRITES } from '#lib/dynamo/table'
import { committer } from '#lib/dynamo/transact'
import { DomainError } from '#lib/kernel/domain-error'
import { type Key, type Write, WriteConflict } from '#lib/kernel/write'

const name = () => process.env['TABLE_NAME'] ?? ''
const table = () => openTable(name())

let keys = 0

/** A key that nothing has yet. */
const aKey = (): Key => {
  keys += 1
  return { pk: `TEST#${keys}`, sk: 'TEST' }
}

const put = (key: Key, more: object = {}): Write => TABLE_WRITES.put({ ...key, ...more })
const refusal = (code: 'email_taken' | 'forbidden' | 'not_found') => () => new DomainError(code)

const cancelled = (codes: readonly string[], attempts = 1) =>
  new TransactionCanceledException({
    message: 'Cancelled',
    CancellationReasons: codes.map((Code) => ({ Code })),
    $metadata: { httpStatusCode: 400, attempts },
  })
const stillRunning = () => new TransactionInProgressException({ message: 'Running', $metadata: {} })
const conflict = () => cancelled(['None', 'TransactionConflict'])

/** A table whose client meets these errors first, as the local database never would. */
function troubled(...errors: Error[]) {
  const operations: string[] = []
  const pauses: number[] = []
  const tokens: unknown[] = []
  const client: DynamoClient = {
    send: async (operation, input) => {
      operations.push(operation)
      tokens.push('ClientRequestToken' in input ? input.ClientRequestToken : undefined)
      const error = errors.shift()
      if (error) throw error
      return dynamo.send(operation, input)
    },
  }
  const pause = async (milliseconds: number) => pauses.push(milliseconds)
  return { operations, pauses, tokens, commit: committer(client, name(), pause) }
}

describe('all writes or none', () => {
  it('are carried out together', async () => {
    const [one, other, third] = [aKey(), aKey(), aKey()]
    await table().commit([put(third, { old: true })])
    await table().commit([
      put(one, { a: 1 }),
      TABLE_WRITES.update(other, { set: { b: [2, { c: null }] }, add: { count: 3 } }),
      TABLE_WRITES.remove(third),
    ])
    expect(await table().get(one)).toEqual({ ...one, a: 1 })
    expect(await table().get(other)).toEqual({ ...other, b: [2, { c: null }], count: 3 })
    expect(await table().get(third)).toBeUndefined()
  })

  it('leave nothing behind when one condition fails', async () => {
    const [one, taken, other] = [aKey(), aKey(), aKey()]
    await table().commit([put(taken)])
    const writes = [put(one), { ...put(taken), when: 'absent' as const }, put(other)]
    await expect(table().commit(writes)).rejects.toThrow(WriteConflict)
    expect(await table().getMany([one, other])).toEqual([])
  })

  it('may be a hundred', async () => {
    const many = Array.from({ length: 100 }, aKey)
    await table().commit(many.map((key) => put(key)))
    expect(await table().getMany(many)).toHaveLength(100)
  })

  it('may be none', async () => {
    await expect(table().commit([])).resolves.toBeUndefined()
  })

  it('are seen by ten at once as if by one after another', async () => {
    const counter = aKey()
    await table().commit([put(counter, { version: 0, sum: 0 })])
    const tryOnce = async () => {
      const { version } = (await table().get(counter)) as { version: number }
      const write = TABLE_WRITES.update(counter, { set: { version: version + 1 }, add: { sum: 1 } })
      return table()
        .commit([{ ...write, when: { equals: { version } } }, put(aKey())])
        .then(
          () => 1,
          () => 0,
        )
    }
    const won = await Promise.all(Array.from({ length: 10 }, tryOnce))
    const total = won.reduce<number>((sum, one) => sum + one, 0)
    expect(total).toBeGreaterThan(0)
    expect(await table().get(counter)).toMatchObject({ version: total, sum: total })
  })
})

describe('a condition', () => {
  const stored = { status: 'ACTIVE', size: 3, sessions: { ses_1: 10 }, gone: null }

  it.each<[string, Write['when'], boolean]>([
    ['absent', 'absent', false],
    ['present', 'present', true],
    ['the value that is there', { equals: { status: 'ACTIVE' } }, true],
    ['all the values that are there', { equals: { status: 'ACTIVE', size: 3, gone: null } }, true],
    ['one other value', { equals: { status: 'ACTIVE', size: 4 } }, false],
    ['a value further in', { equals: { 'sessions.ses_1': 10 } }, true],
    ['another value further in', { equals: { 'sessions.ses_1': 11 } }, false],
    ['a value that is missing', { equals: { 'sessions.ses_2': 10 } }, false],
    ['nothing where there is something', { equals: { status: undefined } }, false],
    ['nothing where there is nothing', { equals: { colour: undefined } }, true],
    ['a whole map', { equals: { sessions: { ses_1: 10 } } }, true],
    ['below a greater number', { below: { attribute: 'size', value: 4 } }, true],
    ['below the same number', { below: { attribute: 'size', value: 3 } }, false],
    ['below, of an attribute that is missing', { below: { attribute: 'weight', value: 3 } }, false],
    ['absent or below a greater number', { absentOrBelow: { attribute: 'size', value: 4 } }, true],
    ['absent or below the same number', { absentOrBelow: { attribute: 'size', value: 3 } }, false],
    ['a value, and below a bound', { equals: { status: 'ACTIVE' }, below: { size: 4 } }, true],
    ['a value, and at a bound', { equals: { status: 'ACTIVE' }, below: { size: 3 } }, false],
  ])('on an item: %s', async (_what, when, holds) => {
    for (const more of [[], [put(aKey())]]) {
      const key = aKey()
      await table().commit([put(key, stored)])
      const result = table().commit([
        TABLE_WRITES.update(key, { set: { changed: true }, when: when ?? 'present' }),
        ...more,
      ])
      if (holds) await result
      else await expect(result).rejects.toThrow(WriteConflict)
      expect((await table().get(key))?.['changed']).toBe(holds || undefined)
    }
  })

  it.each<[string, Write['when'], boolean]>([
    ['absent', 'absent', true],
    ['present', 'present', false],
    ['a value', { equals: { status: 'ACTIVE' } }, false],
    ['no value', { equals: { status: undefined } }, false],
    ['below', { below: { attribute: 'size', value: 4 } }, false],
    ['absent or below', { absentOrBelow: { attribute: 'size', value: 0 } }, true],
  ])('where there is nothing: %s', async (_what, when, holds) => {
    for (const more of [[], [put(aKey())]]) {
      const key = aKey()
      const result = table().commit([{ ...put(key), when: when ?? 'present' }, ...more])
      if (holds) await result
      else await expect(result).rejects.toThrow(WriteConflict)
    }
  })

  it('alone may be checked, and without a say asks for the item to be there', async () => {
    const key = aKey()
    await expect(table().commit([TABLE_WRITES.check(key, {})])).rejects.toThrow(WriteConflict)
    await table().commit([put(key, { a: 1 })])
    await table().commit([TABLE_WRITES.check(key, { when: { equals: { a: 1 } } }), put(aKey())])
  })

  it('means what its write says when it fails; of several the first in order', async () => {
    const taken = aKey()
    const [one, other] = [aKey(), aKey()]
    await table().commit([put(taken), put(one)])
    const writes: Write[] = [
      { ...put(aKey()), when: 'absent', otherwise: refusal('forbidden') },
      { ...put(taken), when: 'absent', otherwise: refusal('email_taken') },
      TABLE_WRITES.check(other, { otherwise: refusal('not_found') }),
    ]
    await expect(table().commit(writes)).rejects.toMatchObject({ code: 'email_taken' })
    await expect(table().commit([...writes].reverse())).rejects.toMatchObject({ code: 'not_found' })
    await expect(table().commit(writes.slice(1, 2))).rejects.toMatchObject({ code: 'email_taken' })
  })

  it('shows the stored item to the meaning of a write that is alone', async () => {
    const taken = aKey()
    await table().commit([put(taken, { a: 1, bytes: new Uint8Array([1]) })])
    const otherwise = vi.fn(refusal('forbidden'))
    const second: Write = { ...put(taken, { a: 2 }), when: 'absent', otherwise }
    await expect(table().commit([second])).rejects.toMatchObject({ code: 'forbidden' })
    await expect(table().commit([second, put(aKey())])).rejects.toMatchObject({ code: 'forbidden' })
    expect(otherwise.mock.calls).toEqual([[{ ...taken, a: 1, bytes: new Uint8Array([1]) }], [undefined]])
  })
})

describe('names and values', () => {
  it('are kept whatever they are called, reserved words, dashes and spaces included', async () => {
    const attribute = fc.stringMatching(/^[A-Za-z][\w :#-]{0,12}$/)
    await fc.assert(
      fc.asyncProperty(fc.uniqueArray(attribute, { minLength: 1, maxLength: 8 }), async (names) => {
        const key = aKey()
        const set = Object.fromEntries(
          names.filter((one) => one !== 'pk' && one !== 'sk').map((one, index) => [one, index]),
        )
        fc.pre(Object.keys(set).length > 0)
        await table().commit([TABLE_WRITES.update(key, { set })])
        expect(await table().get(key)).toEqual({ ...key, ...set })
        await table().commit([TABLE_WRITES.update(key, { set: { still: true }, when: { equals: set } })])
      }),
      { numRuns: 60 },
    )
  })

  it('similar names and values are kept apart', async () => {
    const key = aKey()
    const set = { 'a-b': 1, a_b: 2, 'a b': 3, status: 4, Status: 5, size: 6, name: 7 }
    await table().commit([TABLE_WRITES.update(key, { set })])
    expect(await table().get(key)).toEqual({ ...key, ...set })
  })

  it('undefined values are not stored', async () => {
    const key = aKey()
    await table().commit([put(key, { a: undefined, b: { c: undefined, d: 1 } })])
    expect(await table().get(key)).toEqual({ ...key, b: { d: 1 } })
  })
})

describe('a conflict with another transaction', () => {
  it('is tried again with a longer pause each time, and then done', async () => {
    const { operations, pauses, commit } = troubled(conflict(), conflict(), conflict(), conflict())
    const [one, other] = [aKey(), aKey()]
    await commit([put(one), put(other)])
    expect(operations).toEqual(Array(5).fill('TransactWriteItems'))
    expect(await table().getMany([one, other])).toHaveLength(2)
    expect(pauses).toHaveLength(4)
    for (const [index, pause] of pauses.entries()) {
      expect(pause).toBeGreaterThanOrEqual(0)
      expect(pause).toBeLessThanOrEqual(40 * 2 ** index)
    }
  })

  it('is given up after two seconds of waiting as something that may pass', async () => {
    const { pauses, commit } = troubled(...Array.from({ length: 999 }, conflict))
    const [one, other] = [aKey(), aKey()]
    await expect(commit([put(one), put(other)])).rejects.toMatchObject({ code: 'unavailable' })
    expect(pauses.reduce((sum, pause) => sum + pause, 0)).toBeLessThanOrEqual(2_000)
    expect(await table().getMany([one, other])).toEqual([])
  })

  it.each([
    ['a transaction in the way', new TransactionConflictException({ message: 'Conflict', $metadata: {} })],
    ['itself still under way', stillRunning()],
  ])('may also be told of one write alone: %s', async (_what, error) => {
    const { operations, commit } = troubled(error)
    await commit([put(aKey())])
    expect(operations).toEqual(['PutItem', 'PutItem'])
  })

  it('is not tried again when a condition failed beside it: that is the answer', async () => {
    const both = cancelled(['TransactionConflict', 'ConditionalCheckFailed'])
    const { operations, commit } = troubled(both)
    const writes = [put(aKey()), { ...put(aKey()), otherwise: refusal('forbidden') }]
    await expect(commit(writes)).rejects.toMatchObject({ code: 'forbidden' })
    expect(operations).toHaveLength(1)
  })
})

describe('the token of a transaction', () => {
  const resent = () => cancelled(['None', 'TransactionConflict'], 2)

  it('is renewed after an attempt that was cancelled', async () => {
    const { tokens, commit } = troubled(conflict(), conflict())
    await commit([put(aKey()), put(aKey())])
    expect(new Set(tokens).size).toBe(3)
  })

  it.each([
    ['is still running', stillRunning],
    ['was sent twice', resent],
  ])('stays once an attempt %s, so that the transaction is carried out once', async (_why, error) => {
    const { tokens, commit } = troubled(error(), conflict())
    await commit([put(aKey()), put(aKey())])
    expect(tokens).toHaveLength(3)
    expect(new Set(tokens).size).toBe(1)
  })
})

describe('a transaction that is throttled', () => {
  it.each(['ThrottlingError', 'ProvisionedThroughputExceeded'])('is tried again: %s', async (Code) => {
    const throttled = cancelled(['None', Code])
    const { operations, commit } = troubled(throttled)
    await commit([put(aKey()), put(aKey())])
    expect(operations).toHaveLength(2)
  })
})

describe('any other error', () => {
  it.each([
    ['a throttled table', Object.assign(new Error('slow'), { name: 'ThrottlingException' })],
    ['a refused access', Object.assign(new Error('no'), { name: 'AccessDeniedException' })],
    ['an item that is too large', cancelled(['ValidationError'])],
  ])('is itself, at once: %s', async (_what, error) => {
    const { operations, commit } = troubled(error)
    await expect(commit([{ ...put(aKey()), otherwise: refusal('forbidden') }, put(aKey())])).rejects.toBe(
      error,
    )
    expect(operations).toHaveLength(1)
  })
})

describe('one write alone', () => {
  it.each<[string, (key: Key) => Write, string]>([
    ['a put', (key) => put(key), 'PutItem'],
    ['an update', (key) => TABLE_WRITES.update(key, { set: { a: 1 } }), 'UpdateItem'],
    ['a removal', (key) => TABLE_WRITES.remove(key), 'DeleteItem'],
  ])('goes as a plain write, at half the cost: %s', async (_what, write, command) => {
    const { operations, commit } = troubled()
    await commit([write(aKey())])
    expect(operations).toEqual([command])
  })

  it.each<[string, (key: Key) => Write]>([
    ['an addition, which would count twice', (key) => TABLE_WRITES.update(key, { set: {}, add: { sum: 1 } })],
    [
      'a removal on a condition, which leaves nothing to be told by',
      (key) => TABLE_WRITES.remove(key, { when: 'present' }),
    ],
  ])('goes as a transaction where it could be done twice: %s', async (_what, write) => {
    const { operations, commit } = troubled()
    const key = aKey()
    await table().commit([put(key)])
    await commit([write(key)])
    expect(operations).toEqual(['TransactWriteItems'])
  })

  /** A client whose first answer is lost each time, and which sends the request again. */
  const forgetful: DynamoClient = {
    send: async (operation, input) => {
      await dynamo.send(operation, input)
      return dynamo.send(operation, input).catch((error) => {
        throw Object.assign(error, { $metadata: { httpStatusCode: 400, attempts: 2 } })
      })
    },
  }
  const [before, equals] = [{ version: 1, old: true }, { version: 1 }]

  it.each<[string, (key: Key) => Write, object | undefined]>([
    ['a put where nothing was', (key) => ({ ...put(key, { a: [1] }), when: 'absent' }), undefined],
    [
      'an update of one version',
      (key) => TABLE_WRITES.update(key, { set: { version: 2 }, when: { equals } }),
      { ...before, version: 2 },
    ],
    [
      'an update that removes an attribute',
      (key) => TABLE_WRITES.update(key, { set: { version: 2 }, remove: ['old'], when: { equals } }),
      { version: 2 },
    ],
  ])('is a success where its answer alone was lost: %s', async (_what, write, after) => {
    const key = aKey()
    if (after) await table().commit([put(key, before)])
    await committer(forgetful, name())([write(key)])
    expect(await table().get(key)).toEqual({ ...key, ...(after ?? { a: [1] }) })
  })
})
