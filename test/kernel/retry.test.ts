import { describe, expect, it, vi } from 'vitest'
import { DomainError } from '#lib/kernel/domain-error'
import { retry, retryConflicts } from '#lib/kernel/retry'
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

  it('is given up after two seconds of waiting, its commits included', async () => {
    const pauses: number[] = []
    const sleep = async (milliseconds: number) => pauses.push(milliseconds)
    const commit = () =>
      retry(
        () => Promise.reject(new Error('busy')),
        () => pauses.length % 3 !== 0 || pauses.length === 0,
        sleep,
      ).catch((error) => {
        throw error instanceof DomainError ? error : new WriteConflict()
      })
    await expect(retryConflicts(commit, sleep)).rejects.toMatchObject({ code: 'unavailable' })
    expect(pauses.reduce((sum, pause) => sum + pause, 0)).toBeLessThanOrEqual(2_000)
    await expect(retryConflicts(disturbed(9_999).work, sleep)).rejects.toHaveProperty(
      'cause',
      expect.any(WriteConflict),
    )
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
  it.each([
    ['double from 40 ms to 400 ms', 1, [40, 80, 160, 320, 400, 400]],
    ['are random parts of that', 0.5, [20, 40, 80, 160, 200, 200]],
  ])('%s', async (_how, random, expected) => {
    const pauses: number[] = []
    const spy = vi.spyOn(Math, 'random').mockReturnValue(random)
    try {
      await retryConflicts(disturbed(6).work, async (milliseconds) => pauses.push(milliseconds))
    } finally {
      spy.mockRestore()
    }
    expect(pauses).toEqual(expected)
  })
})
