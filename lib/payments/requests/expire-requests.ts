import { timestamp } from '#lib/kernel/clock'
import { inParallel } from '#lib/kernel/parallel'
import { retryConflicts } from '#lib/kernel/retry'
import { type CloseDeps, closed } from './close-request.ts'
import { type PaymentRequest, statusOf } from './payment-request.ts'

const PAGE_SIZE = 100
const WIDTH = 10

/** At most this many pages a run: the next run goes on. */
const PAGES_MAX = 50

/** Stores that due requests are EXPIRED and announces it. Safe to repeat. Answers how many requests it ended. */
export async function expireRequests(deps: CloseDeps): Promise<{ expired: number }> {
  let expired = 0
  for (let page = 0; page < PAGES_MAX; page += 1) {
    const due = await deps.requests.due(timestamp(deps.now()), PAGE_SIZE)
    const ended = await inParallel(due, WIDTH, (request) => expire(deps, request))
    expired += ended.filter(Boolean).length
    if (due.length < PAGE_SIZE) break
  }
  return { expired }
}

const expire = (deps: CloseDeps, found: PaymentRequest): Promise<boolean> =>
  retryConflicts(async (isRetry) => {
    const request = isRetry ? await deps.requests.get(found.id) : found
    if (request?.status !== 'OPEN' || statusOf(request, deps.now()) !== 'EXPIRED') return false
    await deps.requests.commit(closed(deps, request, 'EXPIRED').writes)
    return true
  })
