import type { Clock } from '#lib/kernel/clock'
import type { PaymentId } from '#lib/kernel/id'
import { inParallel } from '#lib/kernel/parallel'
import { WriteConflict } from '#lib/kernel/write'
import { faultsOf } from '#lib/payments/ledger'
import type { PaymentStore } from '#lib/payments/payment-store'

const PAGE_SIZE = 100
const WIDTH = 10
/** Lambda ends the job after five minutes; no further page begins in the last one. */
const RUN_SECONDS = 240

/** What an audit found: nothing, as long as all is well. `isDone` tells that nothing that changed is left. */
export type Audit = { checked: number; faults: { paymentId: PaymentId; fault: string }[]; isDone: boolean }

type Deps = {
  payments: Pick<PaymentStore, 'toAudit' | 'audited' | 'get' | 'postings' | 'commit'>
  now: Clock
  count: (what: 'LedgerFault') => void
}

/**
 * Tests every payment that has changed since the audit looked at it: its postings balance, each account holds what the
 * facts say, and the stored state follows from them. A payment leaves the list once it was looked at in its newest
 * version; what a run does not reach, the next one does. Reports and repairs nothing.
 */
export async function auditLedger(deps: Deps): Promise<Audit> {
  const audit: Audit = { checked: 0, faults: [], isDone: false }
  const endsAt = deps.now().getTime() + RUN_SECONDS * 1000
  while (deps.now().getTime() < endsAt) {
    const changed = await deps.payments.toAudit(PAGE_SIZE)
    if (changed.length === 0) return { ...audit, isDone: true }
    const found = await inParallel(changed, WIDTH, (entry) => check(deps, entry))
    audit.checked += changed.length
    for (const { paymentId, faults } of found) {
      audit.faults.push(...faults.map((fault) => ({ paymentId, fault })))
      for (const _ of faults) deps.count('LedgerFault')
    }
  }
  return audit
}

async function check({ payments }: Deps, entry: { id: PaymentId; version: number }) {
  const payment = await payments.get(entry.id)
  const postings = payment ? await payments.postings(entry.id) : []
  const faults = payment
    ? faultsOf(
        payment,
        postings.filter(({ version }) => version <= payment.version),
      )
    : []
  // One that has changed meanwhile stays on the list.
  await payments.commit([payments.audited(entry)]).catch((error: unknown) => {
    if (!(error instanceof WriteConflict)) throw error
  })
  return { paymentId: entry.id, faults }
}
