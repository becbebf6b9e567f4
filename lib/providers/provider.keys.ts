import type { Key } from '#lib/kernel/write'

/** The circuit breaker of a provider account. */
export const circuitBreakerKey = (provider: string): Key => ({ pk: `PROVIDER#${provider}`, sk: 'BREAKER' })

/** The counters of the calls to a provider account in a minute. */
export const budgetKey = (provider: string, minute: string): Key => ({
  pk: `PROVIDER#${provider}`,
  sk: `BUDGET#${minute}`,
})
