import { storeOnTable, type Table } from '#lib/dynamo/table'
import { AskedCorrection, type AskedCorrections } from './asked-corrections.ts'
import { askedCorrectionKey } from './ledger.keys.ts'

/** Corrections that wait for a second administrator, in the one table, whose time to live removes them. */
const openAskedCorrections = (table: Table): AskedCorrections => ({
  get: async (key) => {
    const item = await table.get(askedCorrectionKey(key))
    return item && AskedCorrection.parse(item)
  },
  put: (key, seen, correction) =>
    table.commit([
      {
        put: { ...askedCorrectionKey(key), kind: 'asked-correction', ...correction },
        when: seen ? { equals: { by: seen.by, isApproved: seen.isApproved } } : 'absent',
      },
    ]),
  approve: (key, correction, otherwise) => ({
    put: { ...askedCorrectionKey(key), kind: 'asked-correction', ...correction, isApproved: true },
    when: { equals: { isApproved: false } },
    otherwise,
  }),
})

/** The waiting corrections, as a dependency of functions. */
export const askedCorrections = storeOnTable(openAskedCorrections, {
  get: { 'CORRECTION-ASKED': ['get'] },
  put: { 'CORRECTION-ASKED': ['put'] },
  approve: { 'CORRECTION-ASKED': ['put'] },
})
