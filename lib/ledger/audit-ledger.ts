import type { Clock } from '#lib/kernel/clock'
import { DomainError } from '#lib/kernel/domain-error'
import type { PaymentId } from '#lib/kernel/id'
import { PAGE_SIZE } from '#lib/kernel/page'
import { inParallel } from '#lib/kernel/parallel'
import { WriteConflict } from '#lib/kernel/write'
import type { PaymentStore } from '#lib/payments/payment-store'
import { faultsOf } from './audit.ts'
import type { BookReader } from './transaction.ts'

/** Lambda ends the job after five minutes; in the last minute no further page begins. */
const RUN_SECONDS = 240

/** The findings of an audit; empty as long as the books are right. `isDone`: every changed payment was audited. */
type Audit = { checked: number; faults: { paymentId: PaymentId; fault: string }[]; isDone: boolean }

type Deps = {
  payments: PaymentStore
  books: BookReader
  now: Clock
  count: (what: 'LedgerFault') => void
}

/**
 * Audits every payment that has changed since its last audit: its postings balance, each account holds what the facts
 * say, and the stored state follows from them. A payment leaves the list once its newest version was audited; the next
 * run audits what this one does not reach. A record that cannot be read is a fault, stays on the list and holds up
 * no other. The audit reports faults and does not repair them.
 */
export async function auditLedger(deps: Deps): Promise<Audit> {
  const audit: Audit = { checked: 0, faults: [], isDone: false }
  const endsAt = deps.now().getTime() + RUN_SECONDS * 1000
  for (let after: PaymentId | undefined; deps.now().getTime() < endsAt; ) {
    const changed = await deps.payments.toAudit({ limit: PAGE_SIZE, after })
    after = changed.at(-1)?.id
    if (after === undefined) return { ...audit, isDone: true }
    const found = await inParallel(changed, (entry) => check(deps, entry))
    audit.checked += changed.length
    for (const { paymentId, faults } of found) {
      audit.faults.push(...faults.map((fault) => ({ paymentId, fault })))
      for (const _ of faults) deps.count('LedgerFault')
    }
  }
  return audit
}

async function check(deps: Deps, entry: { id: PaymentId; version: number }) {
  const { payments } = deps
  const faults = await faultsIn(deps, entry.id).catch((error: unknown) => {
    // A `DomainError` is a failure of the store; any other error comes from parsing the record.
    if (error instanceof DomainError) throw error
    return undefined
  })
  if (!faults) return { paymentId: entry.id, faults: ['Its record cannot be read'] }
  // A payment that has changed during its audit stays on the list.
  await payments.commit([payments.markAudited(entry)]).catch((error: unknown) => {
    if (!(error instanceof WriteConflict)) throw error
  })
  return { paymentId: entry.id, faults }
}

async function faultsIn({ payments, books }: Deps, id: PaymentId): Promise<string[]> {
  const payment = await payments.get(id)
  if (!payment) return []
  const postings = await books.postings(id)
  // Postings of a later version belong to a later change.
  return faultsOf(
    payment,
    postings.filter(({ version }) => version <= payment.version),
  )
}
