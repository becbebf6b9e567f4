import { dependency } from '#lib/config'
import { type Item, openTable, type QueryOptions, type Table } from '#lib/dynamo/table'
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
  const all = async (options: QueryOptions): Promise<Item[]> => {
    const found: Item[] = []
    for (let after: Item | undefined; ; ) {
      const { items, last } = await table.query({ ...options, consistent: true, ...(after && { after }) })
      found.push(...items)
      if (last === undefined) return found
      after = last
    }
  }
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
export const kycRecords = dependency(['TABLE_NAME'], ({ TABLE_NAME }) =>
  openKycRecords(openTable(TABLE_NAME)),
)
