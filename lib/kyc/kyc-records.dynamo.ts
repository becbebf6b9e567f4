import type { QueryOptions } from '#lib/dynamo/query'
import { onTable, type Table } from '#lib/dynamo/table'
import { KycDocument } from './document.ts'
import {
  decisionQuery,
  documentKey,
  documentLinksKey,
  documentLinksQuery,
  documentQuery,
} from './kyc.keys.ts'
import { GivenLinks, type KycRecords, RecordedDecision } from './kyc-records.ts'

/** The records in the one table: each kind is one query, and a further one for each megabyte. */
export const openKycRecords = (table: Table): KycRecords => {
  const all = (options: QueryOptions) => table.queryAll({ ...options, consistent: true })
  return {
    documents: async (userId) => (await all(documentQuery(userId))).map((item) => KycDocument.parse(item)),
    decisions: async (userId) =>
      (await all(decisionQuery(userId)))
        .map((item) => RecordedDecision.parse(item))
        .sort((one, other) => other.decisions - one.decisions),
    links: async (userId) => (await all(documentLinksQuery(userId))).map((item) => GivenLinks.parse(item)),
    insertDocument: (userId, document) => ({
      put: { ...documentKey(userId, document.id), kind: 'kyc-document', userId, ...document },
      when: 'absent',
    }),
    removeDocument: (userId, { id }) => ({ remove: documentKey(userId, id) }),
    recordLinks: (userId, links) => ({
      put: { ...documentLinksKey(userId, links.id), kind: 'kyc-links', userId, ...links },
      when: 'absent',
    }),
    commit: table.commit,
  }
}

/** The function's records. */
export const kycRecords = onTable(openKycRecords)
