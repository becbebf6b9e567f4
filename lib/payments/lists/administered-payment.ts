import * as z from 'zod'
import type { Account } from '#lib/accounts/account'
import type { AccountReader } from '#lib/accounts/account-store'
import { type Journal, newAction } from '#lib/journal/journal'
import { type Clock, Timestamp } from '#lib/kernel/clock'
import { DomainError } from '#lib/kernel/domain-error'
import { type NewId, type PaymentId, UserId } from '#lib/kernel/id'
import { Currency, Money } from '#lib/kernel/money'
import type { CallbackReader } from '../callbacks/callback-store.ts'
import { CallbackView, callbackView } from '../callbacks/callback-view.ts'
import { payerNameOf } from '../payer.ts'
import type { PaymentReader } from '../payment-store.ts'
import { PaymentView, viewOf } from '../payment-view.ts'
import { SHOWN_STATES } from '../state/dispute.ts'
import { foldOf } from '../state/fold.ts'
import type { Payment } from '../state/payment.ts'
import { Attention, attentionOf } from '../state/payment-status.ts'

/** A payment as administrators see it in a list. */
export const AdministeredPayment = PaymentView.extend({
  userId: UserId,
  user: z
    .object({
      id: UserId,
      name: z.string().nullable().meta({ example: 'Yao Brou' }),
      email: z.string().meta({ example: 'yao@example.com' }),
    })
    .nullable()
    .meta({ description: 'The payer; null once erased' }),
  attention: z.array(Attention).meta({ description: 'Why it needs someone, and since when' }),
}).meta({ id: 'AdministeredPayment' })

const ChargeView = Money.extend({
  id: z.string().nullable().meta({ example: 'ch_3QK2Lm2eZvKYlo2C' }),
  state: z.enum(['COUNTS', 'SECOND', 'UNASKED', 'TAKEN_BACK']).meta({
    description:
      'COUNTS is the payment; SECOND was paid beside it, and UNASKED is of another sum or currency: both are owed back; the money of TAKEN_BACK did not come after all',
  }),
  amountRefunded: z.int().meta({ example: 0 }),
  amountDisputed: z.int().meta({ example: 0 }),
  fee: Money.nullable().meta({ description: 'What the provider keeps' }),
  at: Timestamp,
}).meta({ id: 'Charge' })

const DisputeView = z
  .object({
    id: z.string().meta({ example: 'dp_1QK2Lm2eZvKYlo2C' }),
    chargeId: z.string().nullable().meta({ example: 'ch_3QK2Lm2eZvKYlo2C' }),
    amount: z.int().meta({ example: 150_000 }),
    state: z.enum(['INQUIRY', 'OPEN', 'WON', 'LOST']).meta({ example: 'OPEN' }),
    reason: z.string().nullable(),
    respondBy: Timestamp.nullable(),
    at: Timestamp,
  })
  .meta({ id: 'Dispute' })

/** One line of the ledger: what an account received, or gave when it is negative. */
const LedgerEntry = z
  .object({
    account: z.string().meta({ example: 'provider:stripe' }),
    amount: z.int().meta({ example: 150_000 }),
    currency: Currency,
    at: Timestamp,
    reason: z.string().meta({ example: 'charge' }),
  })
  .meta({ id: 'LedgerEntry' })

/** A payment with all that is known of it. */
export const PaymentInFull = AdministeredPayment.extend({
  charges: z.array(ChargeView),
  disputes: z.array(DisputeView),
  callbacks: z.array(CallbackView),
  ledger: z.array(LedgerEntry),
}).meta({ id: 'PaymentInFull' })

type Deps = {
  payments: PaymentReader
  callbacks: CallbackReader
  accounts: AccountReader
  /** Reads what is booked of a payment, oldest first. */
  readEntries: (id: PaymentId) => Promise<z.infer<typeof LedgerEntry>[]>
  journal: Journal
  now: Clock
  newId: NewId
}

/** Shows a payment as administrators see it in a list, with its payer's account where that still exists. */
export const administeredView = (
  payment: Payment,
  payer: Account | undefined,
  now: Date,
): z.infer<typeof AdministeredPayment> => ({
  ...viewOf(payment, now),
  userId: payment.userId,
  user: payer ? { id: payer.id, name: payerNameOf(payer, payment), email: payer.email } : null,
  attention: attentionOf(payment, payment.attention, now),
})

/**
 * Returns any payment with its charges, disputes, callbacks and postings. The journal records the reading. Throws
 * `not_found`.
 */
export async function getAdministeredPayment(
  { payments, callbacks, accounts, readEntries, journal, now, newId }: Deps,
  administrator: string,
  id: PaymentId,
) {
  const [payment, ledger, received] = await Promise.all([
    payments.get(id),
    readEntries(id),
    callbacks.ofPayment(id),
  ])
  if (!payment) throw new DomainError('not_found')
  const action = { by: administrator, subject: id, action: 'payment.viewed', details: {} } as const
  const [account] = await Promise.all([
    accounts.get(payment.userId),
    journal.commit([journal.record(newAction(newId, action))]),
  ])
  const { charges, disputes } = foldOf(payment)
  return {
    ...administeredView(payment, account, now()),
    charges: charges.map(({ id: chargeId, money, state, refunded, disputed, fee, at }) => ({
      id: chargeId,
      ...money,
      state: CHARGE_STATES[state],
      amountRefunded: refunded,
      amountDisputed: disputed,
      fee,
      at,
    })),
    // `amount` is what the dispute takes of its charge. `money`, which is left out, is what the provider stated.
    disputes: disputes.map(({ money: _, state, ...dispute }) => ({
      ...dispute,
      state: SHOWN_STATES[state],
    })),
    callbacks: received.map(callbackView),
    ledger,
  }
}

const CHARGE_STATES = {
  counts: 'COUNTS',
  second: 'SECOND',
  unasked: 'UNASKED',
  taken_back: 'TAKEN_BACK',
} as const
