import { expect, it } from 'vitest'
import { inParallel } from '#lib/kernel/parallel'

it('does every task, never more than so many at once, and answers in order', async () => {
  let running = 0
  let most = 0
  const results = await inParallel(
    [5, 1, 4, 2, 3, 0],
    async (count) => {
      running += 1
      most = Math.max(most, running)
      for (let turn = 0; turn < count; turn += 1) await Promise.resolve()
      running -= 1
      return count * 10
    },
    { width: 3 },
  )
  expect({ results, most }).toEqual({ results: [50, 10, 40, 20, 30, 0], most: 3 })
})

it('lets a failure keep none of the others from being done', async () => {
  const done: number[] = []
  const failing = inParallel(
    [1, 2, 3, 4],
    async (item) => {
      if (item === 2) throw new Error('two')
      done.push(item)
    },
    { width: 2 },
  )
  await expect(failing).rejects.toThrow('two')
  expect(done).toEqual([1, 3, 4])
})

it('does nothing for nobody', async () => {
  expect(await inParallel([], async () => 1, { width: 4 })).toEqual([])
})
