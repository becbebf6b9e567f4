import * as z from 'zod'
import type { AccountReader } from '#lib/accounts/account-store'
import { type Clock, DAY_MILLISECONDS, DAY_SECONDS, secondsAfter, timestamp } from '#lib/kernel/clock'
import type { ListingId } from '#lib/kernel/id'
import type { ListingReader } from '../listing-store.ts'
import { getOwnListing } from '../read-listing.ts'
import type { ListingCaller } from '../viewer.ts'
import { DayCounts, type StatisticsReader } from './statistics.ts'

const DAYS_DEFAULT = 30
const DAYS_MAX = 90

const Day = z.iso.date().meta({ example: '2026-11-20' })
/** Far enough from the years 0 and 9999 that every day of a span has a year of four digits. */
const QueryDay = Day.refine((day) => day >= '2000' && day < '3000', 'must be of the years 2000 to 2999')

/** The days of the statistics, both included. If only one is given, it begins or ends a span of 30 days. */
export const StatisticsQuery = z
  .object({ from: QueryDay.optional(), to: QueryDay.optional() })
  .superRefine(({ from, to }, context) => {
    if (from === undefined || to === undefined) return
    // Without `input`, Zod would add the whole query as the refused value.
    const refuse = (path: string, message: string) =>
      context.addIssue({ code: 'custom', path: [path], message, input: undefined })
    if (from > to) refuse('to', 'is before from')
    if (daysFrom(from, to) > DAYS_MAX) refuse('from', `is more than ${DAYS_MAX} days before to`)
  })

const ShownCounts = z.object({
  views: z.int().meta({ example: 128 }),
  favourites: z.int().meta({ example: 9 }),
  enquiries: z.int().meta({ example: 4 }),
})

export const StatisticsView = z
  .object({
    days: z.array(ShownCounts.extend({ date: Day })).meta({ description: 'Every day, oldest first' }),
    totals: ShownCounts,
  })
  .meta({ id: 'ListingStatistics' })

type Deps = {
  listings: ListingReader
  accounts: AccountReader
  statistics: StatisticsReader
  now: Clock
}

/**
 * Returns how often a listing was viewed, saved and asked about, by UTC day. Throws `not_found`, and `forbidden` for
 * another's public listing.
 */
export async function getStatistics(
  deps: Deps,
  caller: NonNullable<ListingCaller>,
  id: ListingId,
  query: z.infer<typeof StatisticsQuery>,
): Promise<z.infer<typeof StatisticsView>> {
  const days = daysOf(query, deps.now())
  await getOwnListing(deps, caller, id)
  const counts = await deps.statistics.days(id, days[0] ?? '', days.at(-1) ?? '')
  const shown = days.map((date) => ({ date, ...(counts.get(date) ?? NONE) }))
  return { days: shown, totals: shown.reduce(sumOf, NONE) }
}

const NONE: DayCounts = DayCounts.parse({})

const sumOf = (sum: DayCounts, { views, favourites, enquiries }: DayCounts): DayCounts => ({
  views: sum.views + views,
  favourites: sum.favourites + favourites,
  enquiries: sum.enquiries + enquiries,
})

/**
 * Returns every day of the query. Without `from` and `to` these are the 30 days up to today; with one of the two, the 30
 * days that begin or end there.
 */
function daysOf({ from, to }: z.infer<typeof StatisticsQuery>, now: Date): string[] {
  const last = to ?? (from === undefined ? dayOf(now) : dayAfter(from, DAYS_DEFAULT - 1))
  const first = from ?? dayAfter(last, 1 - DAYS_DEFAULT)
  return Array.from({ length: daysFrom(first, last) }, (_, index) => dayAfter(first, index))
}

/** Counts the days from the first to the last, both included. */
const daysFrom = (first: string, last: string): number =>
  (Date.parse(last) - Date.parse(first)) / DAY_MILLISECONDS + 1

const dayAfter = (day: string, days: number): string => dayOf(secondsAfter(new Date(day), days * DAY_SECONDS))

const dayOf = (moment: Date): string => timestamp(moment).slice(0, 'yyyy-mm-dd'.length)
