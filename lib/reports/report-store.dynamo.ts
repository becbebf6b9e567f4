import { queryShards, readSortKey } from '#lib/dynamo/lists'
import { onTable, type Table } from '#lib/dynamo/table'
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
import { Report, Reported, type ReportReader, type ReportStore } from './report.ts'

/** The time for which the mark of an anonymous reporter's network is stored: longer than the UTC day that it stands for. */
const NETWORK_SECONDS = 48 * HOUR_SECONDS

/** Opens the reports in the one table. */
export const openReports = (table: Table): ReportStore => {
  const getMany: ReportStore['getMany'] = async (ids) =>
    (await table.getMany(ids.map(listingReportsKey))).map((item) => Reported.parse(item))
  const replace = (seen: Reported | undefined, next: Reported): Write[] => [
    table.put(
      { ...listingReportsKey(next.listingId), kind: 'reported', ...next },
      { when: seen ? { equals: { version: seen.version } } : 'absent' },
    ),
    ...moveEntry(table, entryOf(seen), entryOf(next)),
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
        table.put(
          { ...listingReportKey(listingId, at), ...indexes, kind: 'report', ...report },
          { when: 'absent' },
        ),
        table.put(
          {
            ...listingReporterKey(listingId, mark),
            kind: 'reporter',
            at,
            // The mark of a person stays.
            ...(isNetwork && { expiresAtSeconds }),
          },
          { when: lastAt === undefined ? 'absent' : { equals: { at: lastAt } } },
        ),
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
      table.remove(listingReportKey(listingId, at)),
      ...(by === null ? [] : [table.remove(listingReporterKey(listingId, by))]),
    ],
    anonymize: ({ listingId, at }) =>
      table.update(listingReportKey(listingId, at), {
        set: { text: null, by: null },
        remove: ['gsi1pk', 'gsi1sk'],
        when: 'present',
      }),
    commit: table.commit,
  }
}

/** Returns the key of a listing's entry among those with open reports; undefined without open reports. */
const entryOf = (reported: Reported | undefined): Key | undefined =>
  reported?.firstAt ? reportedListingKey(reported.firstAt, reported.listingId) : undefined

function moveEntry(table: Table, from: Key | undefined, to: Key | undefined): Write[] {
  if (from?.sk === to?.sk) return []
  return [
    ...(from ? [table.remove(from)] : []),
    ...(to ? [table.put({ ...to, kind: 'reported-entry' })] : []),
  ]
}

/** The reports as a dependency. */
export const reports = onTable(openReports, {
  reads: ['REPORTED-LISTINGS', 'REPORTS', 'gsi1:REPORTER', 'gsi2:REPORTED-AGENT'],
  writes: ['REPORTED-LISTINGS', 'REPORTS'],
})

export const reportReader = onTable((table): ReportReader => openReports(table), {
  reads: ['REPORTED-LISTINGS', 'REPORTS', 'gsi1:REPORTER', 'gsi2:REPORTED-AGENT'],
})
