import * as z from 'zod'
import { DAY_SECONDS, secondsAfter, Timestamp } from '#lib/kernel/clock'
import { DomainError } from '#lib/kernel/domain-error'
import { type CallbackId, lastIdBefore, PaymentId } from '#lib/kernel/id'
import { Amount, Currency } from '#lib/kernel/money'
import { PAGE_SIZE, type Page } from '#lib/kernel/page'
import type { PaymentReader } from '#lib/payments/payment-store'
import type { Statement } from '#lib/payments/state/fact'
import type { Payment } from '#lib/payments/state/payment'
import { PaymentStatus } from '#lib/payments/state/payment-status'
import { findPayment } from './apply.ts'
import type { Callback } from './callback.ts'
import type { CallbackReader } from './callback-store.ts'
import { CallbackView, callbackView } from './callback-view.ts'

const FactView = z
  .object({
    kind: z.string().meta({ example: 'succeeded' }),
    at: Timestamp.meta({ description: 'When it happened, by its provider' }),
    state: z.string().nullable(),
    amount: z.int().nullable().meta({ example: 150_000 }),
    currency: Currency.nullable(),
    chargeId: z.string().nullable().meta({ example: 'ch_3QK2Lm2eZvKYlo2C' }),
    refundId: z.string().nullable().meta({ description: "The provider's id, else ours" }),
    disputeId: z.string().nullable(),
    code: z.string().nullable(),
    message: z.string().nullable(),
    reason: z.string().nullable(),
  })
  .meta({ id: 'CallbackFact' })

const Candidate = z
  .object({ id: PaymentId, status: PaymentStatus, amount: Amount, currency: Currency, createdAt: Timestamp })
  .meta({ id: 'CallbackCandidate' })

/** A callback with what was understood of it, and the payments that it may be about. */
export const CallbackInFull = CallbackView.extend({
  facts: z.array(FactView),
  candidates: z.array(Candidate).meta({
    description:
      'Up to five payments of the same provider account whose reference, or whose sum and day, fit',
  }),
}).meta({ id: 'CallbackInFull' })

type Deps = {
  callbacks: CallbackReader
  payments: PaymentReader
}

/** Returns a callback for administrators. Throws `not_found`. */
export async function getCallback(
  { callbacks, payments }: Deps,
  id: CallbackId,
): Promise<z.infer<typeof CallbackInFull>> {
  const callback = await callbacks.get(id)
  if (!callback) throw new DomainError('not_found')
  return {
    ...callbackView(callback),
    facts: callback.statement ? [factView(callback.statement)] : [],
    // The schema of the answer drops the other fields of the payments.
    candidates: await findCandidates(payments, callback),
  }
}

function factView(statement: Statement): z.infer<typeof FactView> {
  const { kind, at } = statement
  const given: Partial<Record<string, unknown>> = statement
  const text = (name: string) => (typeof given[name] === 'string' ? given[name] : null)
  const money = 'money' in statement ? statement.money : null
  return {
    kind,
    at,
    state: text('state'),
    amount: money?.amount ?? null,
    currency: money?.currency ?? null,
    chargeId: text('chargeId'),
    refundId: text('providerRefundId') ?? text('refundId'),
    disputeId: text('disputeId'),
    code: text('code'),
    message: text('message'),
    reason: text('reason'),
  }
}

const CANDIDATES_MAX = 5
/** The most pages of a day's payments that are searched for candidates with the callback's sum. */
const PAGES_MAX = 5

/** Returns the payment that a reference names, then those of the same sum from the callback's UTC day, newest first. */
async function findCandidates(payments: PaymentReader, callback: Callback): Promise<Payment[]> {
  const named = await findPayment(payments, callback)
  const { amount, currency } = callbackView(callback)
  const found = named ? [named] : []
  if (amount === null) return found
  const startsAt = Timestamp.parse(`${callback.receivedAt.slice(0, 'yyyy-mm-dd'.length)}T00:00:00.000Z`)
  let after: PaymentId | undefined = lastIdBefore('payment', secondsAfter(new Date(startsAt), DAY_SECONDS))
  for (let page = 0; page < PAGES_MAX && after && found.length < CANDIDATES_MAX; page += 1) {
    const span = { limit: PAGE_SIZE, after }
    const { items, next }: Page<Payment, PaymentId> = await payments.list(callback.provider, span)
    const fitting = items.filter(
      (payment) =>
        payment.id !== named?.id &&
        payment.amount === amount &&
        payment.currency === currency &&
        payment.createdAt >= startsAt,
    )
    found.push(...fitting)
    const isDayOver = items.some(({ createdAt }) => createdAt < startsAt)
    after = isDayOver ? undefined : next
  }
  return found.slice(0, CANDIDATES_MAX)
}
