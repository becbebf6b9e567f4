import { MINUTE_MILLISECONDS, secondsAfter, timestamp, waitedSeconds } from '#lib/kernel/clock'
import { DomainError } from '#lib/kernel/domain-error'
import type { PaymentId } from '#lib/kernel/id'
import { PAGE_SIZE } from '#lib/kernel/page'
import { inParallel } from '#lib/kernel/parallel'
import { WriteConflict } from '#lib/kernel/write'
import type { ApplyDeps } from '#lib/payments/callbacks/apply'
import { DUE_SHARDS, type DueEntry, type PaymentStore } from '#lib/payments/payment-store'
import type { Payment } from '#lib/payments/state/payment'
import { isPaid } from '#lib/payments/state/payment-status'
import { type CircuitBreaker, READINGS_A_MINUTE } from '#lib/providers/circuit-breaker'
import { type Due, type End, reconcilePayment } from './reconcile-payment.ts'

/** The number of payments that are reconciled at once. */
const PAYMENTS_AT_ONCE = 25
/** Lambda ends the job after five minutes; in the last minute no further page begins. */
const RUN_SECONDS = 240

/** The result of a run: how many payments were `looked` at, and how many of them had each outcome (`End`). */
type Reconciled = {
  looked: number
  moved: number
  expired: number
  failed: number
  postponed: number
  /** Why payments could not be read: the first twenty. */
  faults: { paymentId: PaymentId; fault: string }[]
  /** Whether every due payment was reconciled before the time was over. */
  isDone: boolean
}

/** `measure` receives for how many seconds the oldest due payment has been due: 0 without one. */
export type ReconcileDeps = ApplyDeps & {
  payments: PaymentStore
  circuitBreaker: CircuitBreaker
  measure: (what: 'OldestDuePayment', seconds: number) => void
}

type Run = { startedAt: Date; done: Reconciled; unexpected: unknown[] }

/**
 * Reconciles the due payments: reads them from their providers, closes pages, and expires unpaid ones after their time.
 * The longest due come first, until all are done or the time is over. An entry moves before its payment is read, so
 * that a failing payment does not hold up the others. A run begins each minute and starts with another shard of the list
 * than the run before, so that simultaneous runs read different payments. Throws the first unexpected error, such as a
 * record that cannot be read, after all others were reconciled. Safe to repeat.
 */
export async function reconcile(deps: ReconcileDeps): Promise<Reconciled> {
  const startedAt = deps.now()
  const done: Reconciled = {
    looked: 0,
    moved: 0,
    expired: 0,
    failed: 0,
    postponed: 0,
    faults: [],
    isDone: true,
  }
  const run: Run = { startedAt, done, unexpected: [] }
  deps.measure('OldestDuePayment', waitedSeconds(await oldestDue(deps, startedAt), startedAt))
  const first = Math.floor(startedAt.getTime() / MINUTE_MILLISECONDS)
  for (const shard of SHARDS) await reconcileShard(deps, (first + shard) % DUE_SHARDS, run)
  if (run.unexpected.length > 0) throw run.unexpected[0]
  return done
}

const SHARDS = Array.from({ length: DUE_SHARDS }, (_, shard) => shard)

async function oldestDue({ payments }: ReconcileDeps, now: Date): Promise<string | undefined> {
  const page = { limit: 1, after: undefined }
  const heads = await Promise.all(SHARDS.map((shard) => payments.due(timestamp(now), { shard, ...page })))
  return heads.flatMap((entries) => entries.map(({ dueAt }) => dueAt)).toSorted()[0]
}

/** Reconciles the due payments of one shard of the list, page by page, while there is time. */
async function reconcileShard(deps: ReconcileDeps, shard: number, run: Run): Promise<void> {
  const endsAt = secondsAfter(run.startedAt, RUN_SECONDS)
  let after: DueEntry | undefined
  for (;;) {
    if (deps.now() >= endsAt) {
      run.done.isDone = false
      return
    }
    const due = await deps.payments.due(timestamp(run.startedAt), { shard, limit: PAGE_SIZE, after })
    after = due.at(-1)
    if (!after) return
    await reconcilePage(deps, due, run)
  }
}

async function reconcilePage(deps: ReconcileDeps, page: readonly DueEntry[], run: Run): Promise<void> {
  const known = await deps.payments.getEach(page.map(({ id }) => id))
  const readable = [...known.values()].flatMap((payment) => (payment instanceof Error ? [] : payment))
  const delays = await delaysOf(deps, readable)
  const ends = await inParallel(
    page,
    async (entry) => {
      const payment = known.get(entry.id)
      if (payment instanceof Error) return noteUnexpected(run, payment)
      const delayMinutes = delays.get(entry.id) ?? 0
      const reportFault = (fault: unknown) => noteFault(run, entry.id, fault)
      return reconcileEntry(deps, { entry, payment, delayMinutes, reportFault }, run)
    },
    { width: PAYMENTS_AT_ONCE },
  )
  for (const end of ends) {
    run.done.looked += 1
    if (end !== 'unchanged') run.done[end] += 1
  }
}

const FAULTS_NOTED = 20
const FAULT_LENGTH = 200

function noteFault({ done }: Run, paymentId: PaymentId, fault: unknown): void {
  if (done.faults.length < FAULTS_NOTED) {
    done.faults.push({ paymentId, fault: wordsOf(fault).slice(0, FAULT_LENGTH) })
  }
}

/** Describes an error and its causes. */
function wordsOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return error.cause === undefined ? error.message : `${error.message}: ${wordsOf(error.cause)}`
}

/**
 * Returns in how many minutes each payment may be read, so that each provider account is asked about at most
 * `READINGS_A_MINUTE` payments a minute.
 */
async function delaysOf(
  { circuitBreaker, now }: ReconcileDeps,
  payments: readonly Payment[],
): Promise<Map<PaymentId, number>> {
  const groups = [...Map.groupBy(payments, ({ provider }) => provider)]
  const delays = await inParallel(
    groups,
    async ([provider, some]) => {
      const countedReadings = await circuitBreaker.count(provider, 'readings', now(), some.length)
      const readingsBefore = countedReadings - some.length
      // Paid payments are read after those whose end is not known.
      const byUrgency = some.toSorted((one, other) => Number(isPaid(one)) - Number(isPaid(other)))
      const delayOf = (index: number) => Math.floor((readingsBefore + index) / READINGS_A_MINUTE)
      return byUrgency.map(({ id }, index) => [id, delayOf(index)] as const)
    },
    { width: PAYMENTS_AT_ONCE },
  )
  return new Map(delays.flat())
}

/** Reconciles one payment. A fault is stored in the payment and does not stop the others. */
async function reconcileEntry(deps: ReconcileDeps, due: Due, run: Run): Promise<End> {
  try {
    return await reconcilePayment(deps, due)
  } catch (error) {
    // Another function changed the payment meanwhile. If it is still due, a later run reads it.
    if (error instanceof WriteConflict) return 'unchanged'
    return error instanceof DomainError ? 'failed' : noteUnexpected(run, error)
  }
}

function noteUnexpected({ unexpected }: Run, error: unknown): End {
  unexpected.push(error)
  return 'failed'
}
