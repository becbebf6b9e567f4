import { queryShards, readSortKey } from '#lib/dynamo/lists'
import { storeOnTable, type Table } from '#lib/dynamo/table'
import { HOUR_SECONDS, secondsAfter, Timestamp, unixSeconds } from '#lib/kernel/clock'
import { ListingId } from '#lib/kernel/id'
import type { Key, Write } from '#lib/kernel/write'
import {
  listingReporterKey,
  listingReportKey,
  listingReportRange,
  listingReportsKey,
  reportedAgentIndex,
  reportedAgentQuery,
  reportedListingKey,
  reportedListings,
  reportsByIndex,
  reportsByQuery,
  reportsPartition,
} from './report.keys.ts'
import { Report, Reported, type ReportStore } from './report.ts'

/** The time for which the mark of an anonymous reporter's network is stored: longer than the UTC day that it stands for. */
const NETWORK_SECONDS = 48 * HOUR_SECONDS

/** Opens the reports in the one table. */
export const openReports = (table: Table): ReportStore => {
  const getMany: ReportStore['getMany'] = async (ids) =>
    (await table.getMany(ids.map(listingReportsKey))).map((item) => Reported.parse(item))
  const replace = (seen: Reported | undefined, next: Reported): Write[] => [
    {
      put: { ...listingReportsKey(next.listingId), kind: 'reported', ...next },
      when: seen ? { equals: { version: seen.version } } : 'absent',
    },
    ...moveEntry(entryOf(seen), entryOf(next)),
  ]
  return {
    get: async (id) => {
      const item = await table.get(listingReportsKey(id))
      return item && Reported.parse(item)
    },
    getMany,
    lastBy: async (id, { mark }) =>
      Timestamp.optional().parse((await table.get(listingReporterKey(id, mark)))?.['at']),
    add: (seen, next, { agentId, ...report }, { mark, userId, isNetwork, lastAt }) => {
      const { listingId, at } = report
      const expiresAtSeconds = unixSeconds(secondsAfter(new Date(at), NETWORK_SECONDS))
      const indexes = {
        ...(userId && reportsByIndex(userId, at, listingId)),
        ...reportedAgentIndex(agentId, at, listingId),
      }
      return [
        ...replace(seen, next),
        {
          put: { ...listingReportKey(listingId, at), ...indexes, kind: 'report', ...report },
          when: 'absent',
        },
        {
          put: {
            ...listingReporterKey(listingId, mark),
            kind: 'reporter',
            at,
            // The mark of a person stays.
            ...(isNetwork && { expiresAtSeconds }),
          },
          when: lastAt === undefined ? 'absent' : { equals: { at: lastAt } },
        },
      ]
    },
    replace,
    between: async (id, from, to, { limit, after }) => {
      const { items, last } = await table.query({
        partition: reportsPartition(id),
        between: listingReportRange(from, to),
        limit,
        descending: true,
        consistent: true,
        after: after && listingReportKey(id, after).sk,
      })
      const found = items.map((item) => Report.parse(item))
      return { items: found, next: last === undefined ? undefined : found.at(-1)?.at }
    },
    open: async ({ limit, after }) => {
      const { items, next } = await queryShards(table, reportedListings(), { limit, after })
      const found = await getMany(items.map(({ sk }) => ListingId.parse(readSortKey(sk).id)))
      const byEntry = new Map(found.map((reported) => [entryOf(reported)?.sk, reported]))
      // A listing whose reports were closed since the query is left out. If it was reported again, its new entry comes later.
      return { items: items.flatMap(({ sk }) => byEntry.get(String(sk)) ?? []), next }
    },
    byUser: async (id) => (await table.queryAll(reportsByQuery(id))).map((item) => Report.parse(item)),
    countOf: async (id, limit) => {
      const queries = [reportsByQuery(id), reportedAgentQuery(id)]
      const counts = await Promise.all(queries.map((query) => table.count({ ...query, limit })))
      return counts.reduce((sum, count) => sum + count, 0)
    },
    remove: ({ listingId, at, by }) => [
      { remove: listingReportKey(listingId, at) },
      ...(by === null ? [] : [{ remove: listingReporterKey(listingId, by) }]),
    ],
    anonymize: ({ listingId, at }) => ({
      update: listingReportKey(listingId, at),
      set: { text: null, by: null },
      // The index of a reporter's reports.
      remove: ['gsi1pk', 'gsi1sk'],
      when: 'present',
    }),
    commit: table.commit,
  }
}

/** Returns the key of a listing's entry among those with open reports; undefined without open reports. */
const entryOf = (reported: Reported | undefined): Key | undefined =>
  reported?.firstAt ? reportedListingKey(reported.firstAt, reported.listingId) : undefined

function moveEntry(from: Key | undefined, to: Key | undefined): Write[] {
  if (from?.sk === to?.sk) return []
  return [...(from ? [{ remove: from }] : []), ...(to ? [{ put: { ...to, kind: 'reported-entry' } }] : [])]
}

/** The reports as a dependency, with what each method does in which partition. */
export const reportStore = storeOnTable(
  openReports,
  {
    get: { REPORTS: ['get'] },
    getMany: { REPORTS: ['get'] },
    lastBy: { REPORTS: ['get'] },
    add: { REPORTS: ['put'], 'REPORTED-LISTINGS': ['put', 'remove'] },
    replace: { REPORTS: ['put'], 'REPORTED-LISTINGS': ['put', 'remove'] },
    between: { REPORTS: ['query'] },
    open: { 'REPORTED-LISTINGS': ['query'], REPORTS: ['get'] },
    byUser: { 'gsi1:REPORTER': ['query'] },
    countOf: { 'gsi1:REPORTER': ['query'], 'gsi2:REPORTED-AGENT': ['query'] },
    remove: { REPORTS: ['remove'] },
    anonymize: { REPORTS: ['update'] },
    // Reports and closings are committed together with their announcements.
    commit: { EVENTS: ['put'] },
  },
  {
    usesTestedElsewhere: {
      because:
        'the list of reported listings changes only with the first open report of a listing and the closing of all',
      uses: { 'REPORTED-LISTINGS': ['put', 'remove'], EVENTS: ['put'] },
    },
  },
)
