import * as z from 'zod'
import { exponentOf, toMinorUnits } from '#lib/kernel/money'
import type { Checkout } from './sandbox-store.ts'

/** What the sandbox calls back with. */
export type Message = { id: string; type: string; data: Record<string, unknown> }
type Tell = (type: string, status: string, more?: object) => Message
/** What becomes of a checkout, what is told of it, and how. */
export type Change = { next: Checkout; message: Message; manner?: 'twice' | 'late' | undefined }

/** How the messages of a checkout are made; each has an id of its own. */
const tellingOf =
  (checkout: Checkout, action: string): Tell =>
  (type, status, more = {}) => {
    const { id, reference, amount, currency, deliveries, refunds } = checkout
    const data = { id, reference, amount, currency, status, ...more }
    return { id: `msg_${id}_${deliveries.length}_${refunds.length}_${action}`, type, data }
  }

/** What a pressed button does; undefined when it is not on the page now. */
export function changeOf(checkout: Checkout, pressed: URLSearchParams): Change | undefined {
  const action = pressed.get('action') ?? ''
  const tell = tellingOf(checkout, action)
  if (checkout.state === 'paid') return afterPayment(checkout, action, pressed.get('amount'), tell)
  const succeeded = tell('payment.succeeded', 'succeeded')
  switch (action) {
    case 'pay':
      return { next: { ...checkout, state: 'paid' }, message: succeeded }
    case 'deliver-twice':
      return { next: { ...checkout, state: 'paid' }, message: succeeded, manner: 'twice' }
    case 'deliver-late':
      return { next: { ...checkout, state: 'paid' }, message: succeeded, manner: 'late' }
    case 'fail': {
      const why = { code: 'declined', message: 'The sandbox was asked to fail.' }
      return { next: { ...checkout, state: 'failed' }, message: tell('payment.failed', 'failed', why) }
    }
    case 'cancel':
      return { next: { ...checkout, state: 'cancelled' }, message: tell('payment.failed', 'cancelled') }
    default:
      return undefined
  }
}

/** Whether a button asks for what has happened already, as the second click of two does. */
export function hasHappened({ state, disputed }: Checkout, pressed: URLSearchParams): boolean {
  const action = pressed.get('action') ?? ''
  return state === 'paid' && (PAYING.includes(action) || (action === 'dispute' && disputed))
}

const PAYING = ['pay', 'deliver-twice', 'deliver-late']

function afterPayment(
  checkout: Checkout,
  action: string,
  amountText: string | null,
  tell: Tell,
): Change | undefined {
  const { amount, currency, refunded, disputed, id } = checkout
  if (action === 'dispute' && !disputed) {
    const message = tell('payment.disputed', 'opened', { dispute_id: `${id}_dispute` })
    return { next: { ...checkout, disputed: true }, message }
  }
  const left = amount - refunded
  const given = amountText === null ? left : toMinorUnits(amountText.trim(), exponentOf(currency))
  if (action !== 'refund' || given === undefined || given < 1 || given > left) return undefined
  return refundOf(checkout, { id: `${id}_refund_${refunded}`, amount: given }, tell)
}

/** Gives money back, as the page does and as the service asks for. */
const refundOf = (checkout: Checkout, refund: { id: string; amount: number }, tell: Tell): Change => ({
  next: {
    ...checkout,
    refunded: checkout.refunded + refund.amount,
    refunds: [...checkout.refunds, refund],
  },
  message: tell('payment.refunded', 'succeeded', { refund_id: refund.id, amount: refund.amount }),
})

/** A refund as the service asks for it, by its own id. */
export const RefundRequest = z.object({ id: z.string().min(1), amount: z.int().min(1) })

/**
 * What a refund that the service asks for does: nothing, and nothing is told, when it was made before. Undefined when
 * there is not so much left.
 */
export function requestedRefund(
  checkout: Checkout,
  wanted: z.infer<typeof RefundRequest> | undefined,
): { next: Checkout; refund: Checkout['refunds'][number]; message?: Message } | undefined {
  if (!wanted || checkout.state !== 'paid') return undefined
  const refund = { id: `${checkout.id}_${wanted.id}`, amount: wanted.amount }
  const made = checkout.refunds.find(({ id }) => id === refund.id)
  if (made) return { next: checkout, refund: made }
  if (checkout.refunded + refund.amount > checkout.amount) return undefined
  return { ...refundOf(checkout, refund, tellingOf(checkout, 'refund')), refund }
}
