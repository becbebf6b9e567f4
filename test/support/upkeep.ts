import { MINUTE_SECONDS, secondsAfter, type Timestamp, timestamp } from '#lib/kernel/clock'
import { newId, type PaymentId } from '#lib/kernel/id'
import { withFollowers } from '#lib/payment-requests/followers'
import { type ReconcileDeps, reconcile } from '#lib/payments/reconcile/reconcile-due'
import type { StatementOf } from '#lib/payments/state/fact'
import { openPayment, type Payment } from '#lib/payments/state/payment'
import type { PaymentReading } from '#lib/payments/state/reading'
import type { PaymentProvider } from '#lib/providers/provider'
import { memoryTable } from './memory-table.ts'
import { moneyStores } from './money-stores.ts'
import { played } from './payments.ts'

const START = new Date('2026-11-20T12:00:00.000Z')

/** A reading of a payment's provider that holds this much. */
export const reading = ({ id }: Pick<Payment, 'id'>, more: Partial<PaymentReading> = {}): PaymentReading => ({
  references: [id],
  charges: [],
  refunds: [],
  disputes: [],
  ...more,
})

/** The charge that a payment asked for, at a time. */
export const chargeOf = ({ id, amount, currency }: Payment, at: Timestamp): StatementOf<'succeeded'> => ({
  kind: 'succeeded',
  at,
  money: { amount, currency },
  chargeId: `C ${id}`,
})

/** A refund of 100 that somebody made at the provider. */
export const refundOf = ({ id, currency }: Payment, at: Timestamp): StatementOf<'refund'> => ({
  kind: 'refund',
  at,
  money: { amount: 100, currency },
  state: 'succeeded',
  providerRefundId: `R ${id}`,
  refundId: null,
  reason: null,
})

/** The reconciliation on a table of its own, at the times that a test says, with the accounts that it plays. */
export function anUpkeep() {
  const table = memoryTable()
  let moment = START
  const deps = withFollowers({
    ...moneyStores(table),
    measure: () => undefined,
    now: () => moment,
    newId,
  })
  const { payments } = deps
  const at = (minutes: number) => secondsAfter(START, minutes * MINUTE_SECONDS)
  return {
    payments,
    callbacks: deps.callbacks,
    at: (minutes: number) => timestamp(at(minutes)),
    /** A payment that was just started at the start of time. */
    start: async (provider = 'played'): Promise<Payment> => {
      const terms = { provider, amount: 1_000, currency: 'EUR', purpose: 'rent', listingId: null } as const
      const more = { phone: null, returnUrl: null, metadata: null }
      const payment = openPayment(newId('payment'), newId('user'), { ...terms, ...more }, START)
      await payments.commit(payments.insert(payment))
      return payment
    },
    kept: async (id: PaymentId): Promise<Payment> => {
      const payment = await payments.get(id)
      if (!payment) throw new Error(`${id} is gone`)
      return payment
    },
    /** One run, so many minutes after the start, with accounts that play these parts. */
    run: (
      minutes: number,
      accounts: Record<string, Partial<PaymentProvider>>,
      replaced: Partial<ReconcileDeps> = {},
    ) => {
      moment = at(minutes)
      const find = async (name: string) => played(accounts[name]).find('played')
      return reconcile({ ...deps, providers: { find }, ...replaced })
    },
  }
}
