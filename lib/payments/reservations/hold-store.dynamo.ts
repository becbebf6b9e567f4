import { onTable, type Table } from '#lib/dynamo/table'
import { holdKey } from './hold.keys.ts'
import { Hold } from './hold.ts'
import type { HoldStore } from './hold-store.ts'

/** Holds in the one table. */
export const openHolds = (table: Table): HoldStore => ({
  get: async (listingId) => {
    const item = await table.get(holdKey(listingId))
    return item && Hold.parse(item)
  },
  put: (seen, next) => ({
    put: { ...holdKey(next.listingId), kind: 'hold', ...next },
    when: seen ? isStill(seen) : 'absent',
  }),
  offered: (seen, offeredAfterCalls) => ({
    update: holdKey(seen.listingId),
    set: { offeredAfterCalls },
    when: isStill(seen),
  }),
  wait: (seen, paymentId) => ({
    update: holdKey(seen.listingId),
    set: { [`waiting.${paymentId}`]: true },
    when: isStill(seen),
  }),
  remove: (seen) => ({
    remove: holdKey(seen.listingId),
    when: { equals: { paymentId: seen.paymentId, waiting: seen.waiting } },
  }),
})

const isStill = ({ paymentId }: Hold) => ({ equals: { paymentId } })

/** The function's hold store. */
export const holdStore = onTable(openHolds)
