import { randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, it } from 'vitest'
import { DomainError } from '#lib/kernel/domain-error'
import { callProvider } from '#lib/providers/circuit-breaker'
import { openCircuitBreaker } from '#lib/providers/circuit-breaker.dynamo'
import { providerHttp } from '#lib/providers/http'
import { testTable } from '#test/support/test-table'

const START = new Date('2026-11-20T10:00:00.000Z')
const after = (seconds: number) => new Date(START.getTime() + seconds * 1000)

/** A provider account of its own, and what was asked of it. */
function anAccount() {
  const name = `account-${randomUUID()}`
  const table = testTable()
  const circuitBreaker = openCircuitBreaker(table)
  let asked = 0
  const ask = (seconds: number, answer: () => Promise<unknown>) =>
    callProvider(
      circuitBreaker,
      name,
      () => after(seconds),
      () => {
        asked += 1
        return answer()
      },
    ).catch((error: DomainError) => error.code)
  return { ask, asked: () => asked, circuit: () => circuitBreaker.of(name) }
}

const works = async () => 'an answer'
const fails = async () => {
  throw new DomainError('unavailable')
}
const failsWith = (status: number, retryAfterSeconds?: number) => async () => {
  const cause = Object.assign(new Error(`answered ${status}`), { status })
  throw new DomainError('unavailable', {
    cause: new DomainError('provider_unavailable', { cause }),
    ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
  })
}

describe('a provider account', () => {
  it('is left alone for 30 s after five failures in a row, then twice as long, up to an hour', async () => {
    const account = anAccount()
    for (const second of [0, 1, 2, 3]) await account.ask(second, fails)
    expect(await account.circuit()).toMatchObject({ failures: 4, until: null })
    await account.ask(4, fails)
    expect(await account.ask(33, works)).toBe('unavailable')
    expect(account.asked()).toBe(5)
    const openings = []
    for (let second = 34; second < 30_000; ) {
      await account.ask(second, fails)
      const { until } = await account.circuit()
      const end = (Date.parse(until ?? '') - START.getTime()) / 1000
      openings.push(end - second)
      second = end
    }
    expect(openings.slice(0, 8)).toEqual([60, 120, 240, 480, 960, 1920, 3600, 3600])
  })

  it('is asked as before once it has answered again', async () => {
    const account = anAccount()
    for (const second of [0, 1, 2, 3, 4]) await account.ask(second, fails)
    expect(await account.ask(34, works)).toBe('an answer')
    expect(await account.circuit()).toEqual({ failures: 0, openings: 0, until: null })
    for (const second of [35, 36, 37, 38]) await account.ask(second, fails)
    expect(await account.ask(39, works)).toBe('an answer')
  })

  it('is left alone for its Retry-After, and for 30 s after a 429 without one', async () => {
    const polite = anAccount()
    await polite.ask(0, failsWith(429, 600))
    expect(await polite.ask(599, works)).toBe('unavailable')
    expect(await polite.ask(600, works)).toBe('an answer')
    const curt = anAccount()
    await curt.ask(0, failsWith(429))
    expect(await curt.ask(29, works)).toBe('unavailable')
    expect(await curt.ask(30, works)).toBe('an answer')
  })

  it('is left alone for the longest time that it asked for, whatever answers come later', async () => {
    const account = anAccount()
    await account.ask(0, fails)
    // One that saw the failure, and whose answer comes once others were refused.
    const late = account.ask(1, async () => {
      await account.ask(1, failsWith(429, 600))
      await account.ask(1, failsWith(429, 60))
      return 'an answer'
    })
    expect(await late).toBe('an answer')
    expect(await account.ask(599, works)).toBe('unavailable')
    expect(await account.ask(601, works)).toBe('an answer')
  })

  it('an account that was refused twice at once is left alone for the longer time', async () => {
    const account = anAccount()
    await account.ask(0, async () => {
      await account.ask(0, failsWith(429, 600))
      return failsWith(429, 60)()
    })
    expect(await account.ask(599, works)).toBe('unavailable')
    expect(await account.ask(600, works)).toBe('an answer')
  })

  it('is paused once by many failures at the same moment', async () => {
    const account = anAccount()
    const { promise: allAsked, resolve } = Promise.withResolvers<void>()
    // One that was asked only after another's failure would be refused.
    const failsWithAll = async () => {
      if (account.asked() === 20) resolve()
      await allAsked
      return fails()
    }
    await Promise.all(Array.from({ length: 20 }, () => account.ask(0, failsWithAll)))
    expect(await account.circuit()).toEqual({ failures: 20, openings: 1, until: after(30).toISOString() })
  })

  it.each([
    ['seconds', '120'],
    ['a date', new Date(Date.now() + 120_000).toUTCString()],
  ])('names the time of its pause in %s', async (_, header) => {
    const server = createServer((_request, response) => {
      response.writeHead(429, { 'retry-after': header }).end()
    })
    await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
    const error: DomainError = await providerHttp({ method: 'GET', url }).catch((thrown) => thrown)
    server.close()
    expect(error.options.retryAfterSeconds).toBeGreaterThan(100)
    expect(error.options.retryAfterSeconds).toBeLessThanOrEqual(120)
  })
})
