import { onTable, type Table } from '#lib/dynamo/table'
import { placesOf } from './lists.ts'
import { searchWritingKey, searchWritingsQuery } from './search.keys.ts'
import { SearchEntry } from './search-entry.ts'
import type { SearchIndex } from './search-index.ts'

/** Search entries in the one table. */
export const openSearchIndex = (table: Table): SearchIndex => ({
  read: async ({ partition, between, descending, limit, after }) => {
    const { items, last } = await table.query({
      partition,
      descending,
      limit,
      after,
      consistent: true,
      ...(between && { between }),
    })
    const found = items.map((item) => ({ order: String(item['sk']), entry: SearchEntry.parse(item) }))
    return { found, isEnd: last === undefined }
  },
  enter: async (entry) => {
    const writing = { ...searchWritingKey(entry.listingId, entry.by), kind: 'search-writing', ...entry }
    await table.commit([{ put: writing }])
    await table.writeEach(placesOf(entry).map((key) => ({ put: { ...key, kind: 'search-entry', ...entry } })))
  },
  entered: async (id) => {
    const items = await table.queryAll({ ...searchWritingsQuery(id), consistent: true })
    return items.map((item) => SearchEntry.parse(item))
  },
  remove: async (entry) => {
    await table.writeEach(placesOf(entry).map((key) => ({ remove: key })))
    await table.commit([{ remove: searchWritingKey(entry.listingId, entry.by) }])
  },
})

/** The function's search index. */
export const searchIndex = onTable(openSearchIndex)
