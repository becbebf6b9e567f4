import { announce } from '#lib/events/event'
import type { NewId } from '#lib/kernel/id'
import type { Write } from '#lib/kernel/write'
import { postingOf } from './ledger.ts'
import type { Payment } from './payment.ts'
import type { PaymentStore } from './payment-store.ts'

export type ChangeDeps = { payments: PaymentStore; newId: NewId }

/** On whose word a payment changes, and why. */
export type Why = { actor: string; reason: string }

/**
 * A payment's next version as one transaction: itself, its places in the lists, and, where they follow from it,
 * its history, what moved in the ledger and the announcements.
 */
export function changeWrites(deps: ChangeDeps, before: Payment, after: Payment, why: Why): Write[] {
  const posting = postingOf(before, after, why.reason)
  return [
    ...deps.payments.save(before, after),
    ...movesOf(deps, before, after, why),
    ...(posting ? [deps.payments.post(after.id, posting)] : []),
  ]
}

/** The history and the announcements of what has changed; none when nothing has. */
function movesOf({ payments, newId }: ChangeDeps, before: Payment, after: Payment, why: Why): Write[] {
  const { id: subject, updatedAt: at, userId, provider, amount, currency, amountRefunded } = after
  const { purpose, listingId } = after
  const of = { userId, provider, amount, currency, purpose, listingId, agentId: null, paymentRequestId: null }
  const writes: Write[] = []
  if (after.status !== before.status) {
    writes.push(payments.record({ payment: after, from: before.status, ...why }))
    const data = { ...of, from: before.status, to: after.status, reason: why.reason }
    writes.push(announce({ id: newId('event'), type: 'payment.status_changed', subject, at, data }))
  }
  const refundAmount = amountRefunded - before.amountRefunded
  if (refundAmount > 0) {
    const data = { ...of, refundId: null, refundAmount, amountRefunded }
    writes.push(announce({ id: newId('event'), type: 'payment.refunded', subject, at, data }))
  }
  return writes
}
