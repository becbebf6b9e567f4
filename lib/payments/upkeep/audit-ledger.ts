import { PaymentId } from '#lib/kernel/id'
import { faultsOf } from '#lib/payments/ledger'
import type { PaymentStore } from '#lib/payments/payment-store'
import type { AuditPlace } from './audit-place.ts'

/** How many payments one run looks at: a page after page, from the newest to the oldest and round again. */
const PAGES = 10
const PAGE_SIZE = 100

/** What an audit found: nothing, as long as all is well. */
export type Audit = { checked: number; faults: { paymentId: PaymentId; fault: string }[] }

type Deps = {
  payments: Pick<PaymentStore, 'list' | 'get' | 'postings'>
  place: AuditPlace
  count: (what: 'LedgerFault') => void
}

/**
 * Reckons the ledger up against the payments: every posting balances, and each account holds what the facts of the
 * payment say. Bounded work a run, which goes on where the last one stopped. Reports and repairs nothing.
 */
export async function auditLedger({ payments, place, count }: Deps): Promise<Audit> {
  const audit: Audit = { checked: 0, faults: [] }
  let after = PaymentId.optional().parse((await place.get()) ?? undefined)
  for (let pages = 0; pages < PAGES; pages += 1) {
    const { items, next } = await payments.list('ALL', { limit: PAGE_SIZE, after })
    for (const { id } of items) {
      // The payment is read before its postings: one that moves meanwhile is looked at once more.
      const faults = (await check(payments, id)).length > 0 ? await check(payments, id) : []
      audit.faults.push(...faults.map((fault) => ({ paymentId: id, fault })))
    }
    audit.checked += items.length
    after = next
    if (next === undefined) break
  }
  await place.put(after ?? null)
  for (const _ of audit.faults) count('LedgerFault')
  return audit
}

async function check(payments: Deps['payments'], id: PaymentId): Promise<string[]> {
  const payment = await payments.get(id)
  const postings = await payments.postings(id)
  return payment
    ? faultsOf(
        payment,
        postings.filter(({ version }) => version <= payment.version),
      )
    : []
}
