import { windowEnd } from '#lib/kernel/clock'
import { type Quotas, quotaExceeded } from '#lib/kernel/quota'
import { quotaKey } from './dynamo.keys.ts'
import { onTable } from './table.ts'

/**
 * Quotas as counters in the one table: an item for each subject, policy and window, counted under the condition that the
 * limit holds. The table's time to live removes the items.
 */
export const openQuotas = (): Quotas => ({
  count: (quota, subject, at, by = 1) => {
    const endsAtSeconds = windowEnd(quota.windowSeconds, at)
    return {
      update: quotaKey(quota.policy, subject, endsAtSeconds),
      set: { kind: 'quota', expiresAtSeconds: endsAtSeconds },
      add: { count: by },
      // Holds while `count + by` is at most the limit.
      when: { absentOrBelow: { attribute: 'count', value: quota.limit - by + 1 } },
      otherwise: () => quotaExceeded(quota, at),
    }
  },
})

/** The quotas, as a dependency of functions. */
export const quotas = onTable(openQuotas, { QUOTA: ['update'] })
