import { claimedBy } from '#lib/claims/claim'
import { openClaims } from '#lib/claims/claim-store.dynamo'
import { onTable } from '#lib/dynamo/table'
import { systemClock } from '#lib/kernel/clock'
import type { ListingId } from '#lib/kernel/id'
import type { ReportsAndClaim } from '#lib/listings/review/list-queue'
import { openReports } from '#lib/reports/report-store.dynamo'

/** Reads, for listings of the moderation queue, the number of open reports and the administrator who has claimed each. */
export const reportsAndClaims = onTable(
  (table) => {
    const claims = openClaims(table)
    const reports = openReports(table)
    return async (ids: ListingId[]): Promise<ReadonlyMap<string, ReportsAndClaim>> => {
      const [by, reported] = await Promise.all([
        claimedBy({ claims, now: systemClock }, ids),
        reports.getMany(ids),
      ])
      const counts = new Map(reported.map(({ listingId, count }) => [listingId, count]))
      return new Map(
        ids.map((id) => [id, { reportCount: counts.get(id) ?? 0, claimedBy: by.get(id) ?? null }]),
      )
    }
  },
  { reads: ['CLAIM', 'REPORTS'] },
)
