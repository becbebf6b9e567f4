import { timestamp } from '#lib/kernel/clock'
import { PAGE_SIZE } from '#lib/kernel/page'
import { inParallel } from '#lib/kernel/parallel'
import { retryConflicts } from '#lib/kernel/retry'
import { type EndRequestDeps, endingOf } from './end-request.ts'
import { type PaymentRequest, processingOf, requestStatusOf } from './payment-request.ts'
import { reminderDue, remindersPast } from './reminders.ts'
import { type RepeatDeps, repeatSeries } from './repeat-request.ts'
import { requestReminded } from './request-events.ts'
import type { RequestReader, RequestStore } from './request-store.ts'

type ActDeps = EndRequestDeps & { requests: RequestStore }

/** At most this many pages a run: the next run goes on. */
const PAGES_MAX = 50

type Acted = { expired: number; reminded: number; repeated: number }

/**
 * Carries out the due work of payment requests: makes the next of a series, announces due and overdue requests, and
 * ends those whose time is over. A failure is thrown once the rest of its page is done. Safe to repeat. Returns how many
 * of each it did.
 */
export async function actOnRequests(
  deps: ActDeps & RepeatDeps & { requests: RequestReader },
): Promise<Acted> {
  const acted: Acted = { expired: 0, reminded: 0, repeated: 0 }
  // Each page is the first of what is due: a request that was acted on has left it, and a PROCESSING payment's is not in it.
  for (let page = 0; page < PAGES_MAX; page += 1) {
    const { requests, series, isMore } = await deps.requests.due(timestamp(deps.now()), PAGE_SIZE)
    const repeat = async () => {
      const made = await inParallel(series, (each) => repeatSeries(deps, each.id))
      acted.repeated += made.reduce((sum, count) => sum + count, 0)
    }
    const actOnEach = async () => {
      for (const did of await inParallel(requests, (request) => act(deps, request))) {
        if (did) acted[did] += 1
      }
    }
    await inParallel([repeat, actOnEach], (part) => part(), { width: 1 })
    // After a series another page is read: a request that the series made may be due already.
    if (!isMore && series.length === 0) break
  }
  return acted
}

const act = (deps: ActDeps, found: PaymentRequest): Promise<'expired' | 'reminded' | undefined> =>
  retryConflicts(async (isRetry) => {
    const seen = isRetry ? await deps.requests.get(found.id) : found
    const now = deps.now()
    if (seen?.status !== 'OPEN' || processingOf(seen)) return undefined
    if (requestStatusOf(seen, now) === 'EXPIRED') {
      await deps.requests.commit((await endingOf(deps, seen, 'EXPIRED', 'system')).writes)
      return 'expired'
    }
    const type = reminderDue(seen, now)
    if (!type || seen.dueAt === null) return undefined
    const request = { ...seen, reminders: remindersPast(seen.dueAt, now), version: seen.version + 1 }
    const event = requestReminded({ newId: deps.newId, request, at: timestamp(now) }, type, seen.dueAt)
    await deps.requests.commit([...deps.requests.replace(seen, request), event])
    return 'reminded'
  })
