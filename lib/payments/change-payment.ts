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
  const event = (type: 'payment.status_changed' | 'payment.refunded', data: Record<string, unknown>): Write =>
    announce({ id: newId('event'), type, subject, at, data: { userId, provider, amount, currency, ...data } })
  const writes: Write[] = []
  if (after.status !== before.status) {
    writes.push(payments.record({ payment: after, from: before.status, ...why }))
    writes.push(
      event('payment.status_changed', { from: before.status, to: after.status, reason: why.reason }),
    )
  }
  if (amountRefunded > before.amountRefunded) writes.push(event('payment.refunded', { amountRefunded }))
  return writes
}
