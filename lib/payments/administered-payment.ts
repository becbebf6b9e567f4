import * as z from 'zod'
import type { Clock } from '#lib/kernel/clock'
import { DomainError } from '#lib/kernel/domain-error'
import { type PaymentId, UserId } from '#lib/kernel/id'
import type { Inbox } from '#lib/payments/callbacks/inbox'
import { NotificationView, notificationView } from '#lib/payments/callbacks/notification-view'
import { entriesOf, LedgerEntry } from './ledger.ts'
import type { PaymentStore } from './payment-store.ts'
import { PaymentView, viewOf } from './payment-view.ts'

/** A payment as administrators see it in a list. */
export const AdministeredPayment = PaymentView.extend({ userId: UserId }).meta({ id: 'AdministeredPayment' })

/** A payment with all that is known of it. */
export const PaymentInFull = PaymentView.extend({
  userId: UserId,
  notifications: z.array(NotificationView),
  ledger: z.array(LedgerEntry),
}).meta({ id: 'PaymentInFull' })

type Deps = {
  payments: Pick<PaymentStore, 'get' | 'postings'>
  inbox: Pick<Inbox, 'ofPayment'>
  now: Clock
}

/** Any payment, with its notifications and what it moved in the ledger. Throws `not_found`. */
export async function getAdministeredPayment({ payments, inbox, now }: Deps, id: PaymentId) {
  const [payment, postings, notifications] = await Promise.all([
    payments.get(id),
    payments.postings(id),
    inbox.ofPayment(id),
  ])
  if (!payment) throw new DomainError('not_found')
  return {
    ...viewOf(payment, now()),
    userId: payment.userId,
    notifications: notifications.map(notificationView),
    ledger: entriesOf(postings),
  }
}
