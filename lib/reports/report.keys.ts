import { shardedKey } from '#lib/dynamo/lists'
import type { ListingId, UserId } from '#lib/kernel/id'
import type { Key } from '#lib/kernel/write'

/** The partition of a listing's reports, their summary and the marks of their reporters. */
export const reportsPartition = (id: ListingId): string => `REPORTS#${id}`

/** The summary of a listing's reports. */
export const listingReportsKey = (id: ListingId): Key => ({ pk: reportsPartition(id), sk: 'REPORTED' })

/** One report. No two reports of a listing have the same time. */
export const listingReportKey = (id: ListingId, at: string): Key => ({
  pk: reportsPartition(id),
  sk: `REPORT#${at}`,
})

/** The range of the reports from one time to another, both included. */
export const listingReportRange = (from: string, to: string): [string, string] => [
  `REPORT#${from}`,
  `REPORT#${to}`,
]

/** The record of a reporter, known by their mark, who has reported the listing. */
export const listingReporterKey = (id: ListingId, mark: string): Key => ({
  pk: reportsPartition(id),
  sk: `BY#${mark}`,
})

/** The index entry of a report among those of its reporter, by age. */
export const reportsByIndex = (id: UserId, at: string, listing: ListingId) => ({
  gsi1pk: `REPORTER#${id}`,
  gsi1sk: `${at}#${listing}`,
})

/** All reports of a person. */
export const reportsByQuery = (id: UserId) => ({ partition: `REPORTER#${id}`, index: 'gsi1' as const })

/** The index entry of a report among those of an agent's listings, by age. */
export const reportedAgentIndex = (id: UserId, at: string, listing: ListingId) => ({
  gsi2pk: reportedAgentQuery(id).partition,
  gsi2sk: `${at}#${listing}`,
})

/** All reports of an agent's listings. */
export const reportedAgentQuery = (id: UserId) => ({
  partition: `REPORTED-AGENT#${id}`,
  index: 'gsi2' as const,
})

/** The list of listings with open reports. */
export const reportedListings = (): string => 'REPORTED-LISTINGS'
/** The entry of a listing in that list, which is sorted by the time of the oldest open report. */
export const reportedListingKey = (firstAt: string, id: ListingId): Key =>
  shardedKey(reportedListings(), `${firstAt}#${id}`)
