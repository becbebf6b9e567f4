import { describe, expect, it } from 'vitest'
import { NO_PAGE, pageAfterId, pageAt, pageOf, readWholeList } from '#lib/providers/kit/lists'

const numbers = (count: number) => Array.from({ length: count }, (_, place) => place)

describe('a list at a provider', () => {
  it.each([0, 1, 99, 100, 101, 250])(
    'a list of %i items is read to its end, each item once',
    async (count) => {
      const all = numbers(count)
      const read = async (skip: number) => pageAt(all.slice(skip, skip + 100), skip, 100, 100)
      expect(await readWholeList(0, read)).toEqual(all)
    },
  )

  it.each([0, 1, 99, 100, 101, 250])('a list that counts %i items is read to its end', async (count) => {
    const all = numbers(count)
    const read = async (skip: number) => pageOf(all.slice(skip, skip + 100), skip, String(count))
    expect(await readWholeList(0, read)).toEqual(all)
  })

  it('a list that counts more items than it has ends with the first empty page', async () => {
    const read = async (skip: number) => pageOf(skip === 0 ? [1, 2] : [], skip, 5)
    expect(await readWholeList(0, read)).toEqual([1, 2])
  })

  it.each([0, 1, 3, 4])('a list of %i items after ids is read to its end', async (count) => {
    const all = numbers(count).map((place) => ({ id: `re_${place}` }))
    const read = async (after: string) => {
      const from = all.findIndex(({ id }) => id === after) + 1
      return pageAfterId(all.slice(from, from + 2), from + 2 < count)
    }
    expect(await readWholeList('', read)).toEqual(all)
  })

  it('a list that cannot be read is empty', async () => {
    expect(await readWholeList(1, async () => NO_PAGE)).toEqual([])
  })

  it('a list without an end is asked for 50 times, and is provider_unavailable', async () => {
    let pages = 0
    const read = async (page: number) => {
      pages += 1
      return { items: [page], next: page }
    }
    await expect(readWholeList(1, read)).rejects.toMatchObject({ code: 'provider_unavailable' })
    expect(pages).toBe(50)
  })
})
