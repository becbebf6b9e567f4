import * as z from 'zod'
import type { Account } from '#lib/accounts/account'
import type { AccountReader } from '#lib/accounts/account-store'
import { Timestamp } from '#lib/kernel/clock'
import type { Cursors } from '#lib/kernel/cursor'
import { DomainError } from '#lib/kernel/domain-error'
import type { ListingId, UserId } from '#lib/kernel/id'
import { allPages, answerPage, PAGE_SIZE, type PageQuery, pageThatFits } from '#lib/kernel/page'
import type { Listing } from '#lib/listings/listing'
import type { ListingReader } from '#lib/listings/listing-store'
import { ListingView } from '#lib/listings/views/listing-view'
import { viewListing } from '#lib/listings/views/view-listing'
import type { MediaLinks } from '#lib/media/store/media-links'
import { Report, type Reported, type ReportReader } from './report.ts'

/** A listing with open reports, as administrators see it. */
export const ReportedListing = z
  .object({
    listing: ListingView,
    count: z.int().meta({ example: 2 }),
    reasons: z.record(z.string(), z.int()).meta({ description: 'How often each reason was given' }),
    firstAt: Timestamp,
    lastAt: Timestamp,
  })
  .meta({ id: 'ReportedListing' })

/** An open report as administrators see it, without its reporter. */
export const ReportView = Report.pick({ reason: true, text: true, at: true }).meta({ id: 'ListingReport' })

type Deps = {
  reports: ReportReader
  listings: ListingReader
  accounts: AccountReader
  links: MediaLinks
  cursors: Cursors
}

/**
 * Lists listings with open reports, longest waiting first. A page ends early where its listings would be too large for one
 * answer.
 */
export function listReportedListings(deps: Deps, { limit, cursor }: z.infer<typeof PageQuery>) {
  const list = { list: 'reported listings', filters: {}, position: z.string() }
  return answerPage(deps.cursors, list, cursor, async (after) => {
    const { items, next } = await deps.reports.open({ limit, after })
    return pageThatFits({ items: await withListings(deps, items), next }, positionOf, (found) =>
      view(deps, found),
    )
  })
}

/** A listing with open reports, and its owner. */
type Found = { reported: Reported & { firstAt: Timestamp }; listing: Listing; owner: Account | undefined }

async function withListings({ listings, accounts }: Deps, reported: readonly Reported[]): Promise<Found[]> {
  const found = await listings.getMany(reported.map(({ listingId }) => listingId))
  const owners = await accounts.getMany([...new Set(found.map(({ agentId }) => agentId))])
  const listingById = new Map(found.map((listing) => [listing.id, listing]))
  const ownerById = new Map(owners.map((owner) => [owner.id, owner]))
  return reported.flatMap((each) => {
    const { listingId, firstAt } = each
    const listing = listingById.get(listingId)
    const hasOpenReports = firstAt !== null
    if (!listing || !hasOpenReports) return []
    return [{ reported: { ...each, firstAt }, listing, owner: ownerById.get(listing.agentId) }]
  })
}

/** Returns the position of a listing among those with open reports. */
const positionOf = ({ reported: { firstAt, listingId } }: Found): string => `${firstAt}#${listingId}`

async function view(
  { links }: Deps,
  { reported: { count, reasons, firstAt, lastAt }, listing, owner }: Found,
): Promise<z.infer<typeof ReportedListing>> {
  return {
    listing: await viewListing(listing, owner, 'administrator', links),
    ...{ count, reasons, firstAt, lastAt },
  }
}

/** Lists the open reports of a listing, newest first. Throws `not_found` for a listing that was never reported. */
export async function listReports(
  { reports, cursors }: Pick<Deps, 'cursors'> & { reports: ReportReader },
  id: ListingId,
  { limit, cursor }: z.infer<typeof PageQuery>,
) {
  const reported = await reports.get(id)
  if (!reported) throw new DomainError('not_found')
  const { firstAt, lastAt } = reported
  const list = { list: `reports of ${id}`, filters: {}, position: Timestamp }
  return answerPage(cursors, list, cursor, async (after) => {
    const hasOpenReports = firstAt !== null
    if (!hasOpenReports) return { items: [], next: undefined }
    return reports.between(id, firstAt, lastAt, { limit, after })
  })
}

/** Returns the users whose reports of a listing were closed at a time. */
export async function reportersOf(reports: ReportReader, id: ListingId, at: Timestamp): Promise<UserId[]> {
  const closing = (await reports.get(id))?.closings.find((one) => one.at === at)
  if (!closing) return []
  const closed = await allPages((after: Timestamp | undefined) =>
    reports.between(id, closing.from, closing.upTo, { limit: PAGE_SIZE, after }),
  )
  return [...new Set(closed.flatMap(({ by }) => by ?? []))]
}
