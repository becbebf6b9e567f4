import { describe, expect, it } from 'vitest'
import { secondsAfter, timestamp } from '#lib/kernel/clock'
import { DomainError } from '#lib/kernel/domain-error'
import { attemptAfter, needsResolution, withMiss } from '#lib/payments/state/attempt'
import { isSafeToRepeat } from '#lib/providers/failed-request'

const START = new Date('2026-11-20T12:00:00.000Z')
const after = (minutes: number) => secondsAfter(START, minutes * 60)

/** Whether an attempt needs someone after readings at some minutes, none of which holds its refund. */
const needsSomeone = (listsLate: boolean, readAt: number[]) => {
  const begun = attemptAfter(undefined, { isReadable: true, listsLate }, START)
  const read = readAt.reduce((attempt, minutes) => withMiss(attempt, timestamp(after(minutes))), begun)
  return needsResolution(read, after(60))
}

describe('an attempt at a refund that its provider does not show', () => {
  it('needs someone after two readings', () => {
    expect(needsSomeone(false, [2])).toBe(false)
    expect(needsSomeone(false, [2, 2])).toBe(true)
  })

  it('needs someone after two readings minutes apart, where the list of refunds may lag', () => {
    expect(needsSomeone(true, [2, 2, 3])).toBe(false)
    expect(needsSomeone(true, [2, 3, 4])).toBe(true)
  })
})

describe('a request that was answered with a status', () => {
  const answered = (status: number) =>
    new DomainError('provider_unavailable', { cause: Object.assign(new Error('answered'), { status }) })

  it.each([
    [401, true, true],
    [429, true, true],
    [500, false, false],
    [503, true, false],
  ])(
    '%i was not carried out: %s; where only a list that may lag would show it: %s',
    (status, usual, late) => {
      expect(isSafeToRepeat(answered(status))).toBe(usual)
      expect(isSafeToRepeat(answered(status), { listsLate: true })).toBe(late)
    },
  )
})
