import { readFile } from 'node:fs/promises'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { nextRun, repeat } from '#lib/local/events/schedule'

const MORNING = 'cron(0 7 * * ? *)'

describe('the next run of a schedule', () => {
  it.each([
    ['rate(5 minutes)', '2026-11-20T06:58:00.000Z', '2026-11-20T07:03:00.000Z'],
    ['rate(1 day)', '2026-11-20T06:58:00.000Z', '2026-11-21T06:58:00.000Z'],
    [MORNING, '2026-11-20T06:59:59.999Z', '2026-11-20T07:00:00.000Z'],
    [MORNING, '2026-11-20T07:00:00.000Z', '2026-11-21T07:00:00.000Z'],
    ['cron(30 23 * * ? *)', '2026-12-31T23:30:01.000Z', '2027-01-01T23:30:00.000Z'],
  ])('of %s after %s is at %s', (expression, after, next) => {
    expect(nextRun(expression, new Date(after)).toISOString()).toBe(next)
  })

  it('a calendar that the local stack cannot read is refused by name', () => {
    expect(() => nextRun('cron(0 7 ? * MON *)', new Date())).toThrow('not cron(0 7 ? * MON *)')
  })

  it('is known of every schedule of the service', async () => {
    const text = await readFile(new URL('../../../serverless.yml', import.meta.url), 'utf8')
    const expressions = text.match(/\b(rate|cron)\([^)]*\)/g) ?? []
    expect(expressions).toContain(MORNING)
    for (const expression of expressions) expect(nextRun(expression, new Date())).toBeInstanceOf(Date)
  })
})

describe('a schedule of every morning', () => {
  beforeEach(() => vi.useFakeTimers({ now: new Date('2026-11-20T06:00:00.000Z') }))
  afterEach(() => vi.useRealTimers())

  it('runs once each morning, until it is stopped', () => {
    const runs: string[] = []
    const stop = repeat(MORNING, () => runs.push(new Date().toISOString()))
    vi.advanceTimersByTime(2 * 86_400_000)
    stop()
    vi.advanceTimersByTime(86_400_000)
    expect(runs).toEqual(['2026-11-20T07:00:00.000Z', '2026-11-21T07:00:00.000Z'])
  })
})
