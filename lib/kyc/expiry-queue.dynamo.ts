import * as z from 'zod'
import { dependency } from '#lib/config'
import { openTable } from '#lib/dynamo/table'
import { Timestamp, timestamp } from '#lib/kernel/clock'
import { UserId } from '#lib/kernel/id'
import type { ExpiryQueue } from './expiry-queue.ts'
import { kycExpiryPartition } from './kyc.keys.ts'

const Entry = z.object({ userId: UserId, sk: z.string() })

/** The function's queue: one query for each day asked about, its first page. */
export const expiryQueue = dependency(['TABLE_NAME'], ({ TABLE_NAME }): ExpiryQueue => {
  const table = openTable(TABLE_NAME)
  return {
    dueOn: async (day, until) => {
      const { items } = await table.query({ partition: kycExpiryPartition(timestamp(day)), consistent: true })
      return items
        .map((item) => Entry.parse(item))
        .map(({ userId, sk }) => ({ userId, expiresAt: Timestamp.parse(sk.slice(0, sk.indexOf('#'))) }))
        .filter(({ expiresAt }) => expiresAt <= until)
    },
  }
})
