import { timestamp } from '#lib/kernel/clock'
import { DomainError } from '#lib/kernel/domain-error'
import { inParallel } from '#lib/kernel/parallel'
import { WriteConflict } from '#lib/kernel/write'
import { isCircuitOpen } from '#lib/providers/circuit-breaker'
import { changePayout } from './change-payout.ts'
import type { Payout } from './payout.ts'
import type { PayoutReader } from './payout-store.ts'
import { readPayout, type SendPayoutDeps, startPayout } from './read-payout.ts'

/** The most payouts that one run handles, and that are handled at once. */
const RUN_MAX = 500
const PARALLEL = 10

/** The number of payouts that a run handled (`taken`), and how many of them failed. */
type SentPayouts = { taken: number; failed: number }

/**
 * Sends due payouts to their providers, and reads sent ones. Each is sent once; a failure leaves its payout due, and
 * the others go on. Safe to repeat.
 */
export async function sendPayouts(deps: SendPayoutDeps & { payouts: PayoutReader }): Promise<SentPayouts> {
  const due = await deps.payouts.due(timestamp(deps.now()), RUN_MAX)
  const ends = await inParallel(due, (payout) => readOrSend(deps, payout), { width: PARALLEL })
  return { taken: due.length, failed: ends.filter((end) => end === 'failed').length }
}

async function readOrSend(deps: SendPayoutDeps, payout: Payout): Promise<'done' | 'failed'> {
  try {
    if (payout.sentAt !== null) await readPayout(deps, payout)
    else await send(deps, payout)
    return 'done'
  } catch (error) {
    if (error instanceof WriteConflict || error instanceof DomainError) return 'failed'
    throw error
  }
}

async function send(deps: SendPayoutDeps, payout: Payout): Promise<void> {
  // A payout by hand is never due.
  if (payout.provider === null) return
  const provider = await deps.providers.find(payout.provider)
  if (!provider?.payouts) {
    // The provider account no longer pays out: an administrator settles or fails the payout.
    return editUnsent(deps, payout, { needsResolution: true, dueAt: null })
  }
  const circuit = await deps.circuitBreaker.of(payout.provider)
  // Until its provider may be called again, the payout takes no other payout's place in a run.
  if (isCircuitOpen(circuit, deps.now())) return editUnsent(deps, payout, { dueAt: circuit.until })
  await startPayout(deps, payout, provider.payouts)
}

/** Stores an edit of a payout, unless it was cancelled or sent since it was read. */
async function editUnsent(deps: SendPayoutDeps, { id }: Payout, edit: Partial<Payout>): Promise<void> {
  await changePayout(deps, id, { reason: 'provider' }, ({ status, sentAt }) =>
    status === 'PENDING' && sentAt === null ? edit : undefined,
  )
}
