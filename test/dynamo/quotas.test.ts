import { describe, expect, it } from 'vitest'
import { openQuotas } from '#lib/dynamo/quotas'
import { TABLE_WRITES } from '#lib/dynamo/table'
import { windowEnd } from '#lib/kernel/clock'
import type { DomainError } from '#lib/kernel/domain-error'
import type { Quota } from '#lib/kernel/quota'
import { testTable } from '#test/support/test-table'

const quotas = openQuotas(testTable())
const { commit } = testTable()

const HOURLY: Quota = { policy: 'trials', limit: 3, windowSeconds: 3_600 }
const at = (time: string): Date => new Date(`2027-01-31T${time}Z`)

const counted = (subject: string, moment: Date, by?: number): Promise<string> =>
  commit([quotas.count(HOURLY, subject, moment, by)]).then(
    () => 'counted',
    (error: DomainError) => error.code,
  )

describe('a quota', () => {
  it('takes as many as its limit in a window of the clock, and begins anew in the next', async () => {
    for (const moment of ['10:00:00.000', '10:30:00.000', '10:59:59.999']) {
      expect(await counted('one', at(moment))).toBe('counted')
    }
    expect(await counted('one', at('10:59:59.999'))).toBe('too_many_requests')
    expect(await counted('one', at('11:00:00.000'))).toBe('counted')
    expect(await counted('other', at('10:00:00.000'))).toBe('counted')
  })

  it('takes no more than its limit of many at once', async () => {
    const all = await Promise.all(Array.from({ length: 12 }, () => counted('crowd', at('10:00:00.000'))))
    expect(all.filter((outcome) => outcome === 'counted')).toHaveLength(3)
  })

  it('counts amounts, and refuses one that would go over', async () => {
    expect(await counted('bytes', at('10:00:00.000'), 2)).toBe('counted')
    expect(await counted('bytes', at('10:00:00.000'), 2)).toBe('too_many_requests')
    expect(await counted('bytes', at('10:00:00.000'), 1)).toBe('counted')
  })

  it('counts nothing where the rest of the transaction is refused', async () => {
    const refused = TABLE_WRITES.check({ pk: 'NO#1', sk: 'NO' }, { when: 'present' })
    for (let times = 0; times < 5; times += 1) {
      await expect(commit([quotas.count(HOURLY, 'refused', at('10:00:00.000')), refused])).rejects.toThrow()
    }
    expect(await counted('refused', at('10:00:00.000'))).toBe('counted')
  })

  it('a daily quota ends with the UTC day', () => {
    const day = { policy: 'days', limit: 1, windowSeconds: 86_400 }
    expect(new Date(windowEnd(day.windowSeconds, at('23:59:59.000')) * 1000).toISOString()).toBe(
      '2027-02-01T00:00:00.000Z',
    )
  })
})
