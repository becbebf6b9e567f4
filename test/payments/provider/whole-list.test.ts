import { describe, expect, it } from 'vitest'
import { pageAt, wholeList } from '#lib/payments/provider/kit/lists'

const numbers = (count: number) => Array.from({ length: count }, (_, place) => place)

describe('a list at a provider', () => {
  it.each([0, 1, 99, 100, 101, 250])('of %i items is read to its end, each item once', async (count) => {
    const all = numbers(count)
    const read = async (skip: number) => pageAt(all.slice(skip, skip + 100), skip, 100, 100)
    expect(await wholeList(0, read)).toEqual(all)
  })

  it('without an end is asked for 50 times, and is provider_unavailable', async () => {
    let pages = 0
    const read = async (page: number) => {
      pages += 1
      return { items: [page], next: page }
    }
    await expect(wholeList(1, read)).rejects.toMatchObject({ code: 'provider_unavailable' })
    expect(pages).toBe(50)
  })
})
