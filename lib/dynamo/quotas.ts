import { windowEnd } from '#lib/kernel/clock'
import { type Quota, type QuotaStore, quotaExceeded } from '#lib/kernel/quota'
import type { Guard } from '#lib/kernel/write'
import { quotaKey } from './dynamo.keys.ts'
import { onTable, type Table } from './table.ts'

/**
 * Quotas as counters in the one table: an item for each subject, policy and window, counted under the condition that the
 * limit holds. The table's time to live removes the items.
 */
export const openQuotas = (table: Table): QuotaStore => ({
  // The condition holds while `count + by` is at most the limit.
  count: (quota, subject, at, by = 1) =>
    table.update(keyOf(quota, subject, at), {
      ...counted(quota, at, by),
      ...whileBelow(quota, at, quota.limit - by + 1),
    }),
  countAlways: (quota, subject, at) => table.update(keyOf(quota, subject, at), counted(quota, at, 1)),
  requireLeft: (quota, subject, at) =>
    table.check(keyOf(quota, subject, at), whileBelow(quota, at, quota.limit)),
})

const keyOf = ({ policy, windowSeconds }: Quota, subject: string, at: Date) =>
  quotaKey(policy, subject, windowEnd(windowSeconds, at))

const counted = ({ windowSeconds }: Quota, at: Date, by: number) => ({
  set: { kind: 'quota', expiresAtSeconds: windowEnd(windowSeconds, at) },
  add: { count: by },
})

const whileBelow = (quota: Quota, at: Date, value: number): Guard => ({
  when: { absentOrBelow: { attribute: 'count', value } },
  otherwise: () => quotaExceeded(quota, at),
})

/** The quotas of actions, as a dependency. */
export const quotas = onTable(openQuotas, { reads: ['QUOTA'], writes: ['QUOTA'] })
