import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { cursorsWith } from '#lib/dynamo/cursor'
import { allPages, answerPage, matchesOf, PageQuery, pageOf, pageThatFits } from '#lib/kernel/page'
import { queryList, querySet } from '#lib/kernel/query-list'
import { queryNumber } from '#lib/kernel/query-number'
import { queryPhone, queryText } from '#lib/kernel/query-text'

const positionOf = (item: number) => `after ${item}`

describe('a page that one answer can carry', () => {
  const viewOf = (bytes: number) => async (item: number) => `${item}`.padEnd(bytes, '.')

  it('is the whole page where it fits', async () => {
    const page = await pageThatFits({ items: [1, 2, 3], next: 'later' }, positionOf, viewOf(10))
    expect(page.items).toHaveLength(3)
    expect(page.next).toBe('later')
  })

  it('ends before what does not fit, and the next page begins there', async () => {
    const page = await pageThatFits({ items: [1, 2, 3], next: undefined }, positionOf, viewOf(2_000_000))
    expect(page.items).toHaveLength(2)
    expect(page.next).toBe('after 2')
  })

  it('holds one item at least, however large', async () => {
    const page = await pageThatFits({ items: [1, 2], next: undefined }, positionOf, viewOf(6_000_000))
    expect(page.items).toHaveLength(1)
    expect(page.next).toBe('after 1')
  })

  it('counts quotation marks as the answer spells them, escaped twice', async () => {
    const quotes = async () => '"'.repeat(1_000_000)
    const page = await pageThatFits({ items: [1, 2], next: undefined }, positionOf, quotes)
    expect(page.items).toHaveLength(1)
  })

  it('is empty and the last where nothing is left', async () => {
    expect(await pageThatFits({ items: [], next: undefined }, positionOf, viewOf(1))).toEqual({
      items: [],
      next: undefined,
    })
  })
})

describe('a page with a filter', () => {
  const isEven = (item: number) => item % 2 === 0

  it('shows what matches, and goes on where the store does', () => {
    const page = matchesOf({ items: [1, 2, 3, 4], next: 'later' }, 2, positionOf, isEven)
    expect(page).toEqual({ items: [2, 4], next: 'later' })
  })

  it('goes on after the last one shown where more match', () => {
    const page = matchesOf({ items: [2, 4, 6], next: 'later' }, 2, positionOf, isEven)
    expect(page).toEqual({ items: [2, 4], next: 'after 4' })
    expect(matchesOf({ items: [2, 4, 6, 8], next: undefined }, 3, positionOf, isEven).next).toBe('after 6')
  })

  it('may show nothing and still not be the last', () => {
    expect(matchesOf({ items: [1, 3], next: 'later' }, 2, positionOf, isEven)).toEqual({
      items: [],
      next: 'later',
    })
  })
})

describe('a whole list', () => {
  it('is read page by page until there is no next', async () => {
    const pages = new Map([
      [undefined, { items: [1, 2], next: 'a' }],
      ['a', { items: [], next: 'b' }],
      ['b', { items: [3], next: undefined }],
    ] as const)
    const read = async (after: 'a' | 'b' | undefined) => {
      const page = pages.get(after)
      if (page === undefined) throw new Error(`No page begins at ${after}`)
      return { items: [...page.items], next: page.next }
    }
    expect(await allPages<number, 'a' | 'b'>(read)).toEqual([1, 2, 3])
  })
})

describe('a page that a cursor names', () => {
  const cursors = cursorsWith([Buffer.alloc(32, 1)])
  const list = { list: 'numbers', filters: { parity: 'even' }, position: z.number() }
  const read = async (after = 0) => ({ items: [after + 1], next: after < 2 ? after + 1 : undefined })

  it('is the first without one, and each leads to the next until the last', async () => {
    const first = await answerPage(cursors, list, undefined, read)
    const second = await answerPage(cursors, list, first.nextCursor ?? undefined, read)
    const third = await answerPage(cursors, list, second.nextCursor ?? undefined, read)
    expect([first, second, third].map(({ items }) => items)).toEqual([[1], [2], [3]])
    expect(third.nextCursor).toBeNull()
  })

  it('belongs to its list and filters', async () => {
    const { nextCursor } = await answerPage(cursors, list, undefined, read)
    for (const other of [{ list: 'letters' }, { filters: { parity: 'odd' } }]) {
      const answered = answerPage(cursors, { ...list, ...other }, nextCursor ?? undefined, read)
      await expect(answered).rejects.toMatchObject({ code: 'invalid_cursor' })
    }
  })

  it('holds items and a cursor, null at the end', () => {
    const page = pageOf(z.number())
    expect(page.parse({ items: [1], nextCursor: null })).toEqual({ items: [1], nextCursor: null })
    expect(page.safeParse({ items: ['1'], nextCursor: null }).success).toBe(false)
    expect(page.safeParse({ items: [1] }).success).toBe(false)
  })
})

describe('a parameter of a query', () => {
  it('limit is 20 unless given, and 1 to 100', () => {
    expect(PageQuery.parse({})).toEqual({ limit: 20 })
    expect(PageQuery.parse({ limit: '100' })).toEqual({ limit: 100 })
    for (const limit of ['0', '101', '1.5', '', ' 5', '0x10', '1e1', '+5', '١'])
      expect(PageQuery.safeParse({ limit }).success, limit).toBe(false)
  })

  it('that is a number is read from plain digits alone, and its type is not guessed', () => {
    const number = queryNumber(z.number())
    expect(['-12.50', '7'].map((text) => number.parse(text))).toEqual([-12.5, 7])
    expect(number.safeParse('1'.repeat(21)).success).toBe(false)
    expect(number.safeParse(['7']).success).toBe(false)
  })

  it('that may be repeated is a list without repetitions, of at most 50 values', () => {
    const list = queryList(z.string())
    expect(list.parse('a')).toEqual(['a'])
    expect(list.parse(['a', 'b', 'a'])).toEqual(['a', 'b'])
    expect(list.parse(undefined)).toBeUndefined()
    const values = Array.from({ length: 51 }, (_, index) => `${index}`)
    expect(list.safeParse(values).success).toBe(false)
    expect(list.parse([...values.slice(0, 50), '0'])).toHaveLength(50)
  })

  it('that may be repeated in any order is the same list in every order', () => {
    const set = querySet(z.enum(['A', 'B', 'C']))
    expect(set.parse(['C', 'A', 'C'])).toEqual(['A', 'C'])
    expect(set.parse('B')).toEqual(['B'])
    expect(set.parse(undefined)).toBeUndefined()
    expect(set.safeParse(['C', 'a']).error?.issues).toMatchObject([{ path: [1] }])
  })

  it('that is a telephone number may hold blanks, dots and hyphens, and a plus that became a blank', () => {
    const phone = queryPhone(z.string())
    expect(phone.parse(' 221 77-123.45 67')).toBe('+221771234567')
    expect(phone.parse('a b')).toBe('ab')
    expect(phone.safeParse(7).success).toBe(false)
  })

  it('that may be a telephone number is left as it is where it is none', () => {
    const text = queryText(z.string())
    expect(text.parse(' 221 77-123.45 67')).toBe('+221771234567')
    expect(text.parse('Villa 3-4')).toBe('Villa 3-4')
    expect(text.parse('12-34')).toBe('12-34')
    expect(text.parse(' Villa')).toBe(' Villa')
    expect(text.safeParse(1_234_567).success).toBe(false)
  })
})
