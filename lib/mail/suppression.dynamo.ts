import { onTable, type Table } from '#lib/dynamo/table'
import { suppressionKey } from './suppression.keys.ts'
import { Suppression, type SuppressionList } from './suppression.ts'

/** Suppressions in the one table. */
export const openSuppressionList = (table: Table): SuppressionList => ({
  get: async (address) => {
    const item = await table.get(keyOf(address))
    return item && Suppression.parse(item)
  },
  add: (address, suppression) => table.put({ ...keyOf(address), kind: 'suppression', ...suppression }),
  lift: (address) => table.remove(keyOf(address)),
})

const keyOf = (address: string) => suppressionKey(address.trim().toLowerCase())

/** The list of suppressions, as a dependency of functions. */
export const suppressions = onTable(openSuppressionList, { reads: ['SUPPRESSION'], writes: ['SUPPRESSION'] })
