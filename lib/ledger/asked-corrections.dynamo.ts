import { onTable, type Table } from '#lib/dynamo/table'
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
      table.put(
        { ...askedCorrectionKey(key), kind: 'asked-correction', ...correction },
        { when: seen ? { equals: { by: seen.by, isApproved: seen.isApproved } } : 'absent' },
      ),
    ]),
  approve: (key, correction, otherwise) =>
    table.put(
      { ...askedCorrectionKey(key), kind: 'asked-correction', ...correction, isApproved: true },
      { when: { equals: { isApproved: false } }, otherwise },
    ),
})

/** The waiting corrections, as a dependency of functions. */
export const askedCorrections = onTable(openAskedCorrections, {
  reads: ['CORRECTION-ASKED'],
  writes: ['CORRECTION-ASKED'],
})
