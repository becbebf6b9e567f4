import { windowEnd } from '#lib/kernel/clock'
import { type Quota, type QuotaStore, quotaExceeded } from '#lib/kernel/quota'
import type { Write } from '#lib/kernel/write'
import { quotaKey } from './dynamo.keys.ts'
import { storeOnTable } from './table.ts'

/**
 * Quotas as counters in the one table: an item for each subject, policy and window, counted under the condition that the
 * limit holds. The table's time to live removes the items.
 */
export const openQuotas = (): QuotaStore => ({
  count: (quota, subject, at, by = 1) => ({
    ...counted(quota, subject, at, by),
    // Holds while `count + by` is at most the limit.
    ...whileBelow(quota, at, quota.limit - by + 1),
  }),
  countAlways: (quota, subject, at) => counted(quota, subject, at, 1),
  requireLeft: (quota, subject, at) => ({
    check: keyOf(quota, subject, at),
    ...whileBelow(quota, at, quota.limit),
  }),
})

const keyOf = ({ policy, windowSeconds }: Quota, subject: string, at: Date) =>
  quotaKey(policy, subject, windowEnd(windowSeconds, at))

const counted = (quota: Quota, subject: string, at: Date, by: number): Write => ({
  update: keyOf(quota, subject, at),
  set: { kind: 'quota', expiresAtSeconds: windowEnd(quota.windowSeconds, at) },
  add: { count: by },
})

const whileBelow = (quota: Quota, at: Date, value: number): Pick<Write, 'when' | 'otherwise'> => ({
  when: { absentOrBelow: { attribute: 'count', value } },
  otherwise: () => quotaExceeded(quota, at),
})

/** The quotas, of which a function names the methods that it needs. */
export const quotaStore = storeOnTable(openQuotas, {
  count: { QUOTA: ['update'] },
  countAlways: { QUOTA: ['update'] },
  requireLeft: { QUOTA: ['check'] },
})

/** The quotas of actions that are counted as they happen. */
export const quotas = quotaStore.only('count')
