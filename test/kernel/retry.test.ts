import { describe, expect, it, vi } from 'vitest'
import { DomainError } from '#lib/kernel/domain-error'
import { retryConflicts } from '#lib/kernel/retry'
import { WriteConflict } from '#lib/kernel/write'

/** Work that others get in the way of so many times. */
const disturbed = (times: number, error: () => Error = () => new WriteConflict()) => {
  const tries: boolean[] = []
  const work = async (isRetry: boolean) => {
    tries.push(isRetry)
    if (tries.length <= times) throw error()
    return 'done'
  }
  return { tries, work }
}

describe('work that reads, decides and writes', () => {
  it('is done once when nobody is in the way', async () => {
    const { tries, work } = disturbed(0)
    expect(await retryConflicts(work)).toBe('done')
    expect(tries).toEqual([false])
  })

  it('is done afresh when somebody was, and told so', async () => {
    const { tries, work } = disturbed(2)
    expect(await retryConflicts(work)).toBe('done')
    expect(tries).toEqual([false, true, true])
  })

  it('is given up after eight times', async () => {
    const { tries, work } = disturbed(99)
    await expect(retryConflicts(work)).rejects.toMatchObject({ code: 'unavailable' })
    expect(tries).toHaveLength(8)
    await expect(retryConflicts(work)).rejects.toHaveProperty('cause', expect.any(WriteConflict))
  })

  it.each([
    ['another refusal', () => new DomainError('forbidden')],
    ['a caller’s own stale version', () => new DomainError('version_conflict')],
    ['a fault of ours', () => new TypeError('no')],
  ])('is not tried again for %s', async (_what, error) => {
    const { tries, work } = disturbed(99, error)
    await expect(retryConflicts(work)).rejects.toThrow(error())
    expect(tries).toEqual([false])
  })
})

describe('the pauses between attempts', () => {
  /** The longest that each pause can be, in milliseconds. */
  const pausesOf = async (times: number, longestPauseMilliseconds: number) => {
    const pauses: number[] = []
    const random = vi.spyOn(Math, 'random').mockReturnValue(1)
    try {
      const sleep = async (milliseconds: number) => pauses.push(milliseconds)
      await retryConflicts(disturbed(times).work, { longestPauseMilliseconds, sleep })
    } finally {
      random.mockRestore()
    }
    return pauses
  }

  it('double with every attempt, from twice 15 ms or twice what the attempt took', async () => {
    const startedAt = performance.now()
    const pauses = await pausesOf(4, Number.POSITIVE_INFINITY)
    const took = performance.now() - startedAt
    expect(pauses).toHaveLength(4)
    for (const [index, pause] of pauses.entries()) {
      expect(pause).toBeGreaterThanOrEqual(15 * 2 ** (index + 1))
      expect(pause).toBeLessThanOrEqual(Math.max(15, took) * 2 ** (index + 1))
    }
  })

  it('are never longer than the longest', async () => {
    expect(await pausesOf(3, 20)).toEqual([20, 20, 20])
  })

  it('are random parts of that', async () => {
    const pauses: number[] = []
    await retryConflicts(disturbed(1).work, {
      longestPauseMilliseconds: 20,
      sleep: async (milliseconds) => pauses.push(milliseconds),
    })
    expect(pauses[0]).toBeLessThan(20)
  })
})
