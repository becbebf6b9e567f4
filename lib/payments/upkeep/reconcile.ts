import { timestamp, waitedSeconds } from '#lib/kernel/clock'
import { DomainError } from '#lib/kernel/domain-error'
import { inParallel } from '#lib/kernel/parallel'
import { WriteConflict } from '#lib/kernel/write'
import type { SettleDeps } from '#lib/payments/callbacks/apply-notification'
import type { DueEntry } from '#lib/payments/payment-store'
import { type End, lookAfter } from './look-after.ts'

/** How many entries one page of the list holds, and how many payments are looked at at once. */
const PAGE_SIZE = 100
const WIDTH = 25
/** Lambda ends the job after five minutes; no further page begins in the last one. */
const RUN_SECONDS = 240

/** What a run has done. `isDone` tells that nothing more is due. */
export type Reconciled = {
  looked: number
  moved: number
  expired: number
  failed: number
  postponed: number
  isDone: boolean
}

/** `measure` is told how long the payment that is longest due has waited: 0 when none is. */
export type ReconcileDeps = SettleDeps & { measure: (what: 'OldestDuePayment', seconds: number) => void }

/**
 * Looks after the payments that are due: reads them from their providers, closes pages, and expires those that nobody
 * has paid in time. The longest due come first, until nothing is due or the time is over. An entry moves before its
 * payment is looked at, so that none can hold the others up, and two runs at once look at different ones. Throws the
 * first error that nobody expects, such as a record that cannot be read, once all others were looked at. Safe to
 * repeat.
 */
export async function reconcile(deps: ReconcileDeps): Promise<Reconciled> {
  const done: Reconciled = { looked: 0, moved: 0, expired: 0, failed: 0, postponed: 0, isDone: false }
  const endsAt = deps.now().getTime() + RUN_SECONDS * 1000
  const startedAt = deps.now()
  const unexpected: unknown[] = []
  for (let after: DueEntry | undefined; !done.isDone && deps.now().getTime() < endsAt; ) {
    const due = await deps.payments.due(timestamp(startedAt), { limit: PAGE_SIZE, after })
    if (done.looked === 0) deps.measure('OldestDuePayment', waitedSeconds(due[0]?.dueAt, startedAt))
    after = due.at(-1)
    done.isDone = after === undefined
    for (const end of await inParallel(due, WIDTH, (entry) => lookAt(deps, entry, unexpected))) {
      done.looked += 1
      if (end !== 'same') done[end] += 1
    }
  }
  if (unexpected.length > 0) throw unexpected[0]
  return done
}

/** Looks after one payment; a fault is stored in the payment and does not stop the others. */
async function lookAt(deps: SettleDeps, entry: DueEntry, unexpected: unknown[]): Promise<End> {
  try {
    return await lookAfter(deps, entry)
  } catch (error) {
    // Another write came between, of another run perhaps: where the payment is due still, it comes again.
    if (error instanceof WriteConflict) return 'same'
    if (!(error instanceof DomainError)) unexpected.push(error)
    return 'failed'
  }
}
