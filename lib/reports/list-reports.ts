import * as z from 'zod'
import type { AccountStore } from '#lib/accounts/account-store'
import { Timestamp } from '#lib/kernel/clock'
import type { Cursors } from '#lib/kernel/cursor'
import { DomainError } from '#lib/kernel/domain-error'
import type { ListingId, UserId } from '#lib/kernel/id'
import { allPages, answerPage, PAGE_SIZE, type PageQuery } from '#lib/kernel/page'
import type { ListingStore } from '#lib/listings/listing-store'
import { ListingView } from '#lib/listings/listing-view'
import { viewListing } from '#lib/listings/view-listing'
import type { MediaLinks } from '#lib/media/store/media-links'
import { Report, type Reported, type ReportStore } from './report.ts'

/** A listing with open reports, as administrators see it. */
export const ReportedListing = z
  .object({
    listing: ListingView,
    count: z.int(),
    reasons: z.record(z.string(), z.int()).meta({ description: 'How often each reason was given' }),
    firstAt: Timestamp,
    lastAt: Timestamp,
  })
  .meta({ id: 'ReportedListing' })

/** An open report as administrators see it, without its reporter. */
export const ReportView = Report.pick({ reason: true, text: true, at: true }).meta({ id: 'ListingReport' })

type Deps = {
  reports: Pick<ReportStore, 'open'>
  listings: Pick<ListingStore, 'getMany'>
  accounts: Pick<AccountStore, 'getMany'>
  links: MediaLinks
  cursors: Cursors
}

/** Lists listings with open reports, longest waiting first. */
export function listReportedListings(deps: Deps, { limit, cursor }: z.infer<typeof PageQuery>) {
  const list = { list: 'reported listings', filters: {}, position: z.string() }
  return answerPage(deps.cursors, list, cursor, async (after) => {
    const { items, next } = await deps.reports.open({ limit, after })
    return { items: await viewsOf(deps, items), next }
  })
}

async function viewsOf(
  { listings, accounts, links }: Deps,
  reported: readonly Reported[],
): Promise<z.infer<typeof ReportedListing>[]> {
  const found = await listings.getMany(reported.map(({ listingId }) => listingId))
  const owners = await accounts.getMany([...new Set(found.map(({ agentId }) => agentId))])
  const listingById = new Map(found.map((listing) => [listing.id, listing]))
  const ownerById = new Map(owners.map((owner) => [owner.id, owner]))
  const views = reported.map(async ({ listingId, count, reasons, firstAt, lastAt }) => {
    const listing = listingById.get(listingId)
    if (!listing || firstAt === null) return []
    const view = await viewListing(listing, ownerById.get(listing.agentId), 'administrator', links)
    return [{ listing: view, count, reasons, firstAt, lastAt }]
  })
  return (await Promise.all(views)).flat()
}

/** Lists the open reports of a listing, newest first. Throws `not_found` for a listing without reports. */
export async function listReports(
  { reports, cursors }: Pick<Deps, 'cursors'> & { reports: Pick<ReportStore, 'get' | 'between'> },
  id: ListingId,
  { limit, cursor }: z.infer<typeof PageQuery>,
) {
  const reported = await reports.get(id)
  if (!reported) throw new DomainError('not_found')
  const { firstAt, lastAt } = reported
  const list = { list: `reports of ${id}`, filters: {}, position: Timestamp }
  return answerPage(cursors, list, cursor, async (after) =>
    firstAt === null
      ? { items: [], next: undefined }
      : reports.between(id, firstAt, lastAt, { limit, after }),
  )
}

/** Returns the users whose reports of a listing were closed at a time. */
export async function reportersOf(
  reports: Pick<ReportStore, 'get' | 'between'>,
  id: ListingId,
  at: Timestamp,
): Promise<UserId[]> {
  const closing = (await reports.get(id))?.closings.find((one) => one.at === at)
  if (!closing) return []
  const closed = await allPages((after: Timestamp | undefined) =>
    reports.between(id, closing.from, closing.upTo, { limit: PAGE_SIZE, after }),
  )
  return [...new Set(closed.flatMap(({ by }) => by ?? []))]
}
