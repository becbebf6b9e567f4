import { onTable, type Table } from '#lib/dynamo/table'
import { holdKey } from './hold.keys.ts'
import { emptyHold, Hold } from './hold.ts'
import type { HoldStore } from './hold-store.ts'

/** Holds in the one table. */
export const openHolds = (table: Table): HoldStore => ({
  get: async (listingId) => {
    const item = await table.get(holdKey(listingId))
    return item ? Hold.parse(item) : emptyHold(listingId)
  },
  replace: ({ version }, next) =>
    table.put(
      { ...holdKey(next.listingId), kind: 'hold', ...next, version: version + 1 },
      { when: version === 0 ? 'absent' : { equals: { version } } },
    ),
})

/** The hold store, as a dependency of functions. */
export const holds = onTable(openHolds, { reads: ['HOLD'], writes: ['HOLD'] })
