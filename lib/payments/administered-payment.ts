import * as z from 'zod'
import type { AccountStore } from '#lib/accounts/account-store'
import { type Clock, Timestamp } from '#lib/kernel/clock'
import { DomainError } from '#lib/kernel/domain-error'
import { type PaymentId, UserId } from '#lib/kernel/id'
import { Money } from '#lib/kernel/money'
import { Attention, attentionOf } from './attention.ts'
import type { Inbox } from './callbacks/inbox.ts'
import { NotificationView, notificationView } from './callbacks/notification-view.ts'
import { disputesOf } from './dispute.ts'
import { entriesOf, LedgerEntry } from './ledger.ts'
import type { Payment } from './payment.ts'
import { accountsOf } from './payment-status.ts'
import type { PaymentStore } from './payment-store.ts'
import { PaymentView, viewOf } from './payment-view.ts'

/** A payment as administrators see it in a list. */
export const AdministeredPayment = PaymentView.extend({
  userId: UserId,
  attention: z.array(Attention).meta({ description: 'Why it needs someone, and since when' }),
}).meta({ id: 'AdministeredPayment' })

const ChargeView = Money.extend({
  id: z.string().nullable(),
  amountRefunded: z.int(),
  at: Timestamp,
}).meta({ id: 'Charge' })

const DisputeView = z
  .object({
    id: z.string(),
    amount: z.int(),
    state: z.enum(['INQUIRY', 'OPEN', 'WON', 'LOST']),
    reason: z.string().nullable(),
    respondBy: Timestamp.nullable(),
    at: Timestamp,
  })
  .meta({ id: 'Dispute' })

/** A payment with all that is known of it. */
export const PaymentInFull = AdministeredPayment.extend({
  user: z.object({ id: UserId, name: z.string().nullable(), email: z.string() }).nullable(),
  charges: z
    .array(ChargeView)
    .meta({ description: 'The first is the payment; every further one is owed back' }),
  disputes: z.array(DisputeView),
  notifications: z.array(NotificationView),
  ledger: z.array(LedgerEntry),
}).meta({ id: 'PaymentInFull' })

type Deps = {
  payments: Pick<PaymentStore, 'get' | 'postings'>
  inbox: Pick<Inbox, 'ofPayment'>
  accounts: Pick<AccountStore, 'get'>
  now: Clock
}

/** A payment as administrators see it in a list. */
export const administeredView = (payment: Payment, now: Date): z.infer<typeof AdministeredPayment> => ({
  ...viewOf(payment, now),
  userId: payment.userId,
  attention: attentionOf(payment, payment.attention, now),
})

/** Any payment, with its charges, disputes, notifications and what it moved in the ledger. Throws `not_found`. */
export async function getAdministeredPayment({ payments, inbox, accounts, now }: Deps, id: PaymentId) {
  const [payment, postings, notifications] = await Promise.all([
    payments.get(id),
    payments.postings(id),
    inbox.ofPayment(id),
  ])
  if (!payment) throw new DomainError('not_found')
  const account = await accounts.get(payment.userId)
  return {
    ...administeredView(payment, now()),
    user: account ? { id: account.id, name: account.name, email: account.email } : null,
    charges: accountsOf(payment).map(({ charge, refunded: amountRefunded }) => {
      const { id: chargeId, money, at } = charge
      return { id: chargeId, ...money, amountRefunded, at }
    }),
    disputes: disputesOf(payment).map(({ state, chargeId: _, ...dispute }) => ({
      ...dispute,
      state: DISPUTE_STATES[state],
    })),
    notifications: notifications.map(notificationView),
    ledger: entriesOf(postings),
  }
}

const DISPUTE_STATES = { inquiry: 'INQUIRY', open: 'OPEN', won: 'WON', lost: 'LOST' } as const
