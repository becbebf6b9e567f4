import { queryShards, readSortKey, recordsById, recordsInOrder } from '#lib/dynamo/lists'
import { onTable, type Table } from '#lib/dynamo/table'
import { EnquiryId } from '#lib/kernel/id'
import type { Write } from '#lib/kernel/write'
import {
  enquiryIndexes,
  enquiryKey,
  listingEnquiriesQuery,
  listingEnquiryKey,
  messageIndex,
  messageKey,
  messageQuery,
  messagesQuery,
  receivedQuery,
  reportedKey,
  reportedPartition,
  sentQuery,
} from './enquiry.keys.ts'
import { Enquiry, Message } from './enquiry.ts'
import type { EnquiryReader, EnquiryStore } from './enquiry-store.ts'
import { openReports } from './open-reports.ts'

/** Opens the enquiries in the one table. */
export const openEnquiries = (table: Table): EnquiryStore => {
  const findExisting: EnquiryStore['findExisting'] = async (id) => {
    const item = await table.get(enquiryKey(id))
    return item && Enquiry.parse(item)
  }
  const get: EnquiryStore['get'] = async (id) => {
    // The key lacks the time in the id: ids of the same listing and customer have one key.
    const enquiry = await findExisting(id)
    return enquiry?.id === id ? enquiry : undefined
  }
  return {
    findExisting,
    get,
    ofMessage: async (messageId) => {
      const { items } = await table.query({ ...messageQuery(messageId), limit: 1 })
      const id = EnquiryId.optional().parse(items[0]?.['gsi2sk'])
      return id && get(id)
    },
    messages: async (id, { limit, after }) => {
      const { items, last } = await table.query({
        ...messagesQuery(id),
        limit,
        descending: true,
        consistent: true,
        after: after && messageKey(id, after).sk,
      })
      const messages = items.map((item) => Message.parse(item))
      return { items: messages, next: last === undefined ? undefined : messages.at(-1)?.id }
    },
    message: async (id, messageId) => {
      const item = await table.get(messageKey(id, messageId))
      return item && Message.parse(item)
    },
    ofUser: async (userId, side, { limit, after }) => {
      const query = side === 'agent' ? receivedQuery(userId) : sentQuery(userId)
      const { items, last } = await table.query({ ...query, limit, descending: true, after })
      const positions = items.map((item) => String(item[`${query.index}sk`]))
      const enquiries = await recordsById(table, positions.map(idAt), enquiryKey, Enquiry)
      return {
        items: positions.flatMap((position) => {
          const enquiry = enquiries.get(idAt(position))
          return enquiry ? [{ enquiry, position }] : []
        }),
        next: last === undefined ? undefined : positions.at(-1),
      }
    },
    countOf: async (userId, limit) => {
      const queries = [sentQuery(userId), receivedQuery(userId)]
      const counts = await Promise.all(queries.map((query) => table.count({ ...query, limit })))
      return counts.reduce((sum, count) => sum + count, 0)
    },
    ofListing: async (listingId, { limit, after }) => {
      const query = { ...listingEnquiriesQuery(listingId), limit, consistent: true, after }
      const { items, last } = await table.query(query)
      const ids = items.map(({ enquiryId }) => EnquiryId.parse(enquiryId))
      const enquiries = await recordsInOrder(table, ids, enquiryKey, Enquiry)
      return { items: enquiries, next: last === undefined ? undefined : ids.at(-1) }
    },
    reported: async (span) => {
      const { items, next } = await queryShards(table, reportedPartition(), span)
      const ids = items.map(({ enquiryId }) => EnquiryId.parse(enquiryId))
      const enquiries = await recordsInOrder(table, ids, enquiryKey, Enquiry)
      // The reports may have been closed between the two reads.
      return { items: enquiries.filter((enquiry) => openReports(enquiry)), next }
    },
    insert: (enquiry, first) => [
      table.put(enquiryItem(enquiry), { when: 'absent' }),
      table.put(messageItem(enquiry.id, first), { when: 'absent' }),
      table.put({
        ...listingEnquiryKey(enquiry.listingId, enquiry.id),
        kind: 'listing-enquiry',
        enquiryId: enquiry.id,
      }),
    ],
    replace: (seen, next) => [
      table.put(enquiryItem(next), { when: { equals: { version: seen.version } } }),
      ...relist(table, seen, next),
    ],
    countRequests: (id, { open = 0, paid = 0 }) =>
      table.update(enquiryKey(id), {
        set: {},
        add: { 'requests.open': open, 'requests.paid': paid, version: 1 },
        when: 'present',
      }),
    remove: (seen) => {
      const { id, listingId, version } = seen
      const reportedAt = openReports(seen)?.firstAt
      return [
        table.remove(enquiryKey(id), { when: { equals: { version } } }),
        table.remove(listingEnquiryKey(listingId, id)),
        ...(reportedAt ? [table.remove(reportedKey(reportedAt, id))] : []),
      ]
    },
    removeMessage: (id, messageId) => table.remove(messageKey(id, messageId)),
    insertMessage: (id, message) => table.put(messageItem(id, message), { when: 'absent' }),
    eraseMessage: (id, messageId) =>
      table.update(messageKey(id, messageId), { set: { text: null }, when: 'present' }),
    commit: table.commit,
  }
}

const enquiryItem = (enquiry: Enquiry) => {
  const { id, agentId, customerId, lastMessageAt } = enquiry
  const indexes = enquiryIndexes(agentId, customerId, lastMessageAt, id)
  return { ...enquiryKey(id), ...indexes, kind: 'enquiry', ...enquiry }
}

const messageItem = (id: EnquiryId, message: Message) => ({
  ...messageKey(id, message.id),
  ...messageIndex(message.id, id),
  kind: 'message',
  enquiryId: id,
  ...message,
})

/** Returns the id of the enquiry at the position `<lastMessageAt>#<id>` of a list. */
const idAt = (position: string): EnquiryId => EnquiryId.parse(readSortKey(position).id)

/** Moves an enquiry in the list of those with open reports. */
function relist(table: Table, seen: Enquiry, next: Enquiry): Write[] {
  const [before, after] = [openReports(seen)?.firstAt, openReports(next)?.firstAt]
  if (before === after) return []
  return [
    ...(before ? [table.remove(reportedKey(before, seen.id))] : []),
    ...(after
      ? [table.put({ ...reportedKey(after, next.id), kind: 'reported-enquiry', enquiryId: next.id })]
      : []),
  ]
}

/** The enquiry store as a dependency. */
export const enquiries = onTable(openEnquiries, {
  reads: [
    'ENQUIRIES-REPORTED',
    'ENQUIRY',
    'LISTING-ENQUIRIES',
    'gsi1:AGENT',
    'gsi2:CUSTOMER',
    'gsi2:MESSAGE',
  ],
  writes: ['ENQUIRIES-REPORTED', 'ENQUIRY', 'LISTING-ENQUIRIES'],
})

export const enquiryReader = onTable((table): EnquiryReader => openEnquiries(table), {
  reads: [
    'ENQUIRIES-REPORTED',
    'ENQUIRY',
    'LISTING-ENQUIRIES',
    'gsi1:AGENT',
    'gsi2:CUSTOMER',
    'gsi2:MESSAGE',
  ],
})
