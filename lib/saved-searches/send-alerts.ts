import { announce } from '#lib/events/event'
import { type Clock, timestamp } from '#lib/kernel/clock'
import type { NewId } from '#lib/kernel/id'
import { inParallel } from '#lib/kernel/parallel'
import { retryConflicts } from '#lib/kernel/retry'
import { WriteConflict } from '#lib/kernel/write'
import { openMatcher } from '#lib/listings/search/matcher'
import { publicOnes } from '#lib/listings/search/public-ones'
import { filtersOfSearch, type MatchDeps, matchListings } from './match-listings.ts'
import type { DueAlert, Match, SavedSearch, SavedSearchStore } from './saved-search.ts'

/** The number of listings that a notification names. */
const NAMED_MAX = 5
/** The most alerts of one read. */
const BATCH = 200
/** The number of alerts that are sent at once. */
const WIDTH = 5

type Deps = MatchDeps & { searches: SavedSearchStore; newId: NewId }

/**
 * Matches changed listings with saved searches, and announces the alerts that are due by `dueClock`, which an operator
 * may set. Records carry the machine's time, `deps.now`. A repeated call announces no alert twice.
 */
export async function searchAlerts(
  deps: Deps,
  dueClock: Clock,
): Promise<{ compared: number; matched: number; sent: number }> {
  const counts = await matchListings(deps)
  let sent = 0
  for (;;) {
    const due = await deps.matches.due(timestamp(dueClock()), BATCH)
    if (due.length === 0) return { ...counts, sent }
    const outcomes = await inParallel(due, (alert) => send(deps, alert), { width: WIDTH })
    sent += outcomes.filter(Boolean).length
  }
}

/** Announces an alert of all matches since the last one. Returns whether there were any. */
const send = (deps: Deps, due: DueAlert): Promise<boolean> =>
  retryConflicts(async () => {
    const { searches, matches, newId, now } = deps
    const search = await searches.get(due.userId, due.searchId)
    const found = search ? await matches.matchesAfter(search.id, search.sentUpTo) : []
    const foundMatches = found.map(({ match }) => match)
    const { fitting, others } = search
      ? await divide(deps, search, foundMatches)
      : { fitting: [], others: [] }
    await matches.forget(others)
    const last = found.at(-1)
    // Without a fitting match, everything that was found has just been forgotten: `sentUpTo` can stay.
    if (!search || !last || fitting.length === 0) {
      await matches.commit([matches.takeDue(due)]).catch(ignoreConflict)
      return false
    }
    const at = timestamp(now())
    const listingIds = fitting.slice(0, NAMED_MAX).map(({ listingId }) => listingId)
    const next: SavedSearch = {
      ...search,
      lastAlertAt: at,
      sentUpTo: last.sortKey,
      version: search.version + 1,
    }
    await searches.commit([
      ...searches.replace(search, next),
      matches.takeDue(due),
      announce({
        id: newId('event'),
        type: 'saved_search.matched',
        subject: search.id,
        at,
        data: { userId: search.userId, count: fitting.length, listingIds },
      }),
    ])
    return true
  })

/**
 * Divides matches into those to send and all others. A match is sent if the alert is on, and its listing is public and
 * still fits. New filters, and an alert that is switched on, void all earlier matches (`since`). The caller forgets the
 * others, so that a later change can match their listings again.
 */
async function divide(
  deps: Deps,
  search: SavedSearch,
  found: readonly Match[],
): Promise<{ fitting: Match[]; others: Match[] }> {
  const shown = await publicOnes(
    deps,
    found.map(({ listingId }) => listingId),
  )
  const filters = search.alert === 'off' ? undefined : filtersOfSearch(search)
  const matcher = openMatcher([...shown.values()].map(({ listing }) => listing))
  try {
    const fits = new Set<string>(filters ? matcher.fitting(filters) : [])
    const isSent = ({ listingId, at }: Match) => at >= search.since && fits.has(listingId)
    return { fitting: found.filter(isSent), others: found.filter((match) => !isSent(match)) }
  } finally {
    matcher.close()
  }
}

/** Ignores that another run has taken the alert. */
function ignoreConflict(error: unknown): void {
  if (!(error instanceof WriteConflict)) throw error
}
