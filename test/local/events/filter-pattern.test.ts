import { describe, expect, it } from 'vitest'
import { FilterPattern, matchesPattern } from '#lib/local/events/filter-pattern'

const record = {
  eventName: 'MODIFY',
  dynamodb: {
    Keys: { pk: { S: 'LISTING#1' } },
    NewImage: { status: { S: 'PUBLISHED' }, tags: ['a', 'b'], gone: null },
  },
}

describe('a filter pattern', () => {
  it.each<[string, FilterPattern]>([
    ['a value', { eventName: ['MODIFY'] }],
    ['one of several values', { eventName: ['INSERT', 'MODIFY'] }],
    ['a prefix deep inside', { dynamodb: { Keys: { pk: { S: [{ prefix: 'LISTING#' }] } } } }],
    ['a field that exists', { dynamodb: { NewImage: { status: { S: [{ exists: true }] } } } }],
    ['a field that does not', { dynamodb: { OldImage: { status: { S: [{ exists: false }] } } } }],
    ['null', { dynamodb: { NewImage: { gone: [null] } } }],
    ['any element of a list', { dynamodb: { NewImage: { tags: ['b'] } } }],
    ['nothing at all', {}],
  ])('lets a record through by %s', (_, pattern) => {
    expect(matchesPattern(record, FilterPattern.parse(pattern))).toBe(true)
  })

  it.each<[string, FilterPattern]>([
    ['another value', { eventName: ['REMOVE'] }],
    ['a value of another type', { dynamodb: { NewImage: { gone: ['null'] } } }],
    ['another prefix', { dynamodb: { Keys: { pk: { S: [{ prefix: 'USER#' }] } } } }],
    ['a prefix of what is not text', { dynamodb: { NewImage: { gone: [{ prefix: '' }] } } }],
    ['a field that is missing', { dynamodb: { OldImage: { status: { S: ['PUBLISHED'] } } } }],
    ['one field of two', { eventName: ['MODIFY'], dynamodb: { NewImage: { status: { S: ['DRAFT'] } } } }],
    ['a field that should not exist', { eventName: [{ exists: false }] }],
    ['an empty list of values', { eventName: [] }],
  ])('holds a record back by %s', (_, pattern) => {
    expect(matchesPattern(record, FilterPattern.parse(pattern))).toBe(false)
  })

  it('a pattern with an unknown operator is refused, not ignored', () => {
    expect(FilterPattern.safeParse({ eventName: [{ 'anything-but': ['REMOVE'] }] }).success).toBe(false)
  })
})
