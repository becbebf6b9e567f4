import { storeOnTable, type Table } from '#lib/dynamo/table'
import { suppressionKey } from './suppression.keys.ts'
import { Suppression, type SuppressionList } from './suppression.ts'

/** Suppressions in the one table. */
export const openSuppressionList = (table: Table): SuppressionList => ({
  get: async (address) => {
    const item = await table.get(keyOf(address))
    return item && Suppression.parse(item)
  },
  add: (address, suppression) => ({
    put: { ...keyOf(address), kind: 'suppression', ...suppression },
  }),
  lift: (address) => ({ remove: keyOf(address) }),
})

const keyOf = (address: string) => suppressionKey(address.trim().toLowerCase())

/** The list of suppressions, as a dependency of functions. */
export const suppressionList = storeOnTable(
  openSuppressionList,
  {
    get: { SUPPRESSION: ['get'] },
    add: { SUPPRESSION: ['put'] },
    lift: { SUPPRESSION: ['remove'] },
  },
  {
    usesTestedElsewhere: {
      because: 'a suppression is lifted only by a mail that an administrator sends again',
      uses: { SUPPRESSION: ['remove'] },
    },
  },
)
