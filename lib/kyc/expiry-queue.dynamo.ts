import * as z from 'zod'
import { onTable } from '#lib/dynamo/table'
import { Timestamp, timestamp } from '#lib/kernel/clock'
import { UserId } from '#lib/kernel/id'
import type { ExpiryQueue } from './expiry-queue.ts'
import { kycExpiryPartition } from './kyc.keys.ts'

const Entry = z.object({ userId: UserId, sk: z.string() })

/** The function's queue. */
export const expiryQueue = onTable(
  (table): ExpiryQueue => ({
    dueOn: async (day, until) => {
      const partition = kycExpiryPartition(timestamp(day))
      const items = await table.queryAll({ partition, consistent: true })
      return items
        .map((item) => Entry.parse(item))
        .map(({ userId, sk }) => ({ userId, expiresAt: Timestamp.parse(sk.slice(0, sk.indexOf('#'))) }))
        .filter(({ expiresAt }) => expiresAt <= until)
    },
  }),
)
