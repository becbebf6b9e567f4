import { describe, expect, it, vi } from 'vitest'
import { Moment, secondsAfter, systemClock, timestamp, waitedSeconds, windowEnd } from '#lib/kernel/clock'
import { morningOf, nextMorning } from '#lib/kernel/morning'
import { quotaExceeded } from '#lib/kernel/quota'
import { within } from '#lib/kernel/within'

const noon = new Date('2026-11-20T12:00:00.000Z')

describe('a moment', () => {
  it('is read with an offset and kept in UTC', () => {
    expect(Moment.parse('2026-11-20T13:00:00+01:00')).toBe('2026-11-20T12:00:00.000Z')
    expect(Moment.safeParse('2026-11-20T13:00:00').success).toBe(false)
  })

  it('is refused where its year in UTC has not four digits', () => {
    expect(Moment.parse('9999-12-31T23:59:59-00:00')).toBe('9999-12-31T23:59:59.000Z')
    expect(Moment.safeParse('9999-12-31T23:59:59-00:01').success).toBe(false)
    expect(Moment.parse('0000-01-01T01:00:00+01:00')).toBe('0000-01-01T00:00:00.000Z')
    expect(Moment.safeParse('0000-01-01T00:59:59+01:00').success).toBe(false)
  })

  it('seconds later or earlier is another', () => {
    expect(timestamp(secondsAfter(noon, 90))).toBe('2026-11-20T12:01:30.000Z')
    expect(timestamp(secondsAfter(noon, -90))).toBe('2026-11-20T11:58:30.000Z')
  })

  it('was waited for since then in whole seconds, and for none since a later moment or never', () => {
    expect(waitedSeconds('2026-11-20T11:59:00.400Z', noon)).toBe(60)
    expect(waitedSeconds('2026-11-20T12:01:00.000Z', noon)).toBe(0)
    expect(waitedSeconds(undefined, noon)).toBe(0)
  })

  it('of the machine is now', () => {
    expect(Math.abs(systemClock().getTime() - Date.now())).toBeLessThan(60_000)
  })
})

describe('the morning of daily mails', () => {
  it('is at seven in UTC', () => {
    expect(morningOf('2026-11-20')).toBe('2026-11-20T07:00:00.000Z')
  })

  it.each([
    ['2026-11-20T06:59:59.999Z', '2026-11-20T07:00:00.000Z'],
    ['2026-11-20T07:00:00.000Z', '2026-11-21T07:00:00.000Z'],
    ['2026-12-31T23:00:00.000Z', '2027-01-01T07:00:00.000Z'],
  ])('after %s is %s', (now, morning) => {
    expect(nextMorning(new Date(now))).toBe(morning)
  })
})

describe('the window of a quota', () => {
  const quota = { policy: 'a-day', limit: 3, windowSeconds: 86_400 }

  it('is a UTC day where it has the length of one, and begins anew at its end', () => {
    expect(windowEnd(quota.windowSeconds, noon)).toBe(Date.parse('2026-11-21T00:00:00Z') / 1_000)
    expect(windowEnd(quota.windowSeconds, new Date('2026-11-21T00:00:00.000Z'))).toBe(
      Date.parse('2026-11-22T00:00:00Z') / 1_000,
    )
  })

  it('that is used up refuses until its end, rounded up, and says so', () => {
    const refusal = quotaExceeded(quota, new Date('2026-11-20T23:59:00.500Z'))
    expect(refusal).toMatchObject({
      code: 'too_many_requests',
      message: 'The limit is 3 in 86400 seconds; try again in 60 seconds',
      options: { retryAfterSeconds: 60, exceeded: quota },
    })
    expect(quotaExceeded(quota, new Date('2026-11-20T23:59:59.999Z')).options.retryAfterSeconds).toBe(1)
  })
})

describe('work with a deadline', () => {
  it('that ends in time is its result, and no timer is left', async () => {
    vi.useFakeTimers()
    try {
      expect(await within(1_000, Promise.resolve('done'))).toBe('done')
      await expect(within(1_000, Promise.reject(new TypeError('no')))).rejects.toThrow('no')
      expect(vi.getTimerCount()).toBe(0)
    } finally {
      vi.useRealTimers()
    }
  })

  it('that does not end in time is undefined then, and not before', async () => {
    vi.useFakeTimers()
    try {
      const outcomes: unknown[] = []
      within(1_000, new Promise(() => {})).then((outcome) => outcomes.push(outcome))
      await vi.advanceTimersByTimeAsync(999)
      expect(outcomes).toEqual([])
      await vi.advanceTimersByTimeAsync(1)
      expect(outcomes).toEqual([undefined])
    } finally {
      vi.useRealTimers()
    }
  })
})
