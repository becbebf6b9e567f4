import { describe, expect, it } from 'vitest'
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
