import * as z from 'zod'
import { exponentOf, toMinorUnits } from '#lib/kernel/money'
import type { Checkout } from './sandbox-store.ts'

/** What the sandbox calls back with. */
export type Message = { id: string; type: string; data: Record<string, unknown> }
type Tell = (type: string, status: string, more?: object) => Message
/** A change of a checkout, the messages about it, and the way they are delivered. */
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
  return checkout.state === 'paid'
    ? afterPayment(checkout, action, pressed, tell)
    : beforePayment(checkout, action, tell)
}

/** Whether a button asks for what has happened already, as the second click of two does. */
export function hasHappened(
  { state, disputed, disputeOutcome, secondCharge }: Checkout,
  pressed: URLSearchParams,
): boolean {
  const action = pressed.get('action') ?? ''
  if (state !== 'paid') return false
  if (action === 'pay-again') return secondCharge !== null
  if (action === 'dispute') return disputed
  return PAYING.includes(action) || (disputeOutcome !== null && OUTCOMES[action] === disputeOutcome)
}

const PAYING = ['pay', 'deliver-twice', 'deliver-late']
const OUTCOMES: Record<string, 'won' | 'lost'> = { win: 'won', lose: 'lost' }

function beforePayment(checkout: Checkout, action: string, tell: Tell): Change | undefined {
  const paid = {
    next: { ...checkout, state: 'paid' },
    message: tell('payment.succeeded', 'succeeded'),
  } as const
  switch (action) {
    case 'pay':
      return paid
    case 'deliver-twice':
      return { ...paid, manner: 'twice' }
    case 'deliver-late':
      return { ...paid, manner: 'late' }
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

function afterPayment(
  checkout: Checkout,
  action: string,
  pressed: URLSearchParams,
  tell: Tell,
): Change | undefined {
  switch (action) {
    case 'refund':
      return pressedRefund(checkout, pressed, tell)
    case 'pay-again': {
      if (checkout.secondCharge) return undefined
      const secondCharge = { id: `${checkout.id}_second`, amount: checkout.amount }
      const message = tell('payment.succeeded', 'succeeded', { id: secondCharge.id })
      return { next: { ...checkout, secondCharge }, message }
    }
    case 'dispute':
      if (checkout.disputed) return undefined
      return { next: { ...checkout, disputed: true }, message: tellDispute(checkout, tell, 'opened') }
    default:
      return ended(checkout, OUTCOMES[action], tell)
  }
}

const tellDispute = ({ id }: Checkout, tell: Tell, status: string): Message =>
  tell('payment.disputed', status, { dispute_id: `${id}_dispute` })

/** Ends a dispute. One that was lost may still be won. */
function ended(checkout: Checkout, outcome: 'won' | 'lost' | undefined, tell: Tell): Change | undefined {
  const { disputed, disputeOutcome } = checkout
  const mayEnd = disputed && (disputeOutcome === null || (disputeOutcome === 'lost' && outcome === 'won'))
  if (!outcome || !mayEnd) return undefined
  return { next: { ...checkout, disputeOutcome: outcome }, message: tellDispute(checkout, tell, outcome) }
}

/** One charge of a checkout and what is left of it; `id` is null for the first. */
export type ChargeLeft = { id: string | null; left: number }

/** The charges of a paid checkout, the first one first. */
export function chargesLeft({ amount, secondCharge, refunds }: Checkout): ChargeLeft[] {
  const charges = [{ id: null, amount }, ...(secondCharge ? [secondCharge] : [])]
  return charges.map((charge) => {
    const given = refunds.filter(({ chargeId }) => chargeId === charge.id)
    return { id: charge.id, left: given.reduce((left, refund) => left - refund.amount, charge.amount) }
  })
}

/** The charge that a refund names; the first one where it names none, or the checkout itself. */
const chargeOf = (checkout: Checkout, name: string | null | undefined): ChargeLeft | undefined =>
  chargesLeft(checkout).find(({ id }) => id === (name && name !== checkout.id ? name : null))

function pressedRefund(checkout: Checkout, pressed: URLSearchParams, tell: Tell): Change | undefined {
  const charge = chargeOf(checkout, pressed.get('charge'))
  if (!charge) return undefined
  const text = pressed.get('amount')
  const amount = text === null ? charge.left : toMinorUnits(text.trim(), exponentOf(checkout.currency))
  if (amount === undefined || amount < 1 || amount > charge.left) return undefined
  const id = `${checkout.id}_refund_${checkout.refunds.length}`
  return refundOf(checkout, { id, amount, chargeId: charge.id }, tell)
}

type SandboxRefund = Checkout['refunds'][number]

/** Gives money back, as the page does and as the service asks for. */
const refundOf = (checkout: Checkout, refund: SandboxRefund, tell: Tell): Change => ({
  next: {
    ...checkout,
    refunded: checkout.refunded + refund.amount,
    refunds: [...checkout.refunds, refund],
  },
  message: tell('payment.refunded', 'succeeded', {
    refund_id: refund.id,
    amount: refund.amount,
    charge_id: refund.chargeId ?? checkout.id,
  }),
})

/** A refund as the service asks for it, by its own id, of one charge. */
export const RefundRequest = z.object({
  id: z.string().min(1),
  amount: z.int().min(1),
  chargeId: z.string().nullish(),
})

/**
 * What a refund that the service asks for does: nothing, and nothing is told, when it was made before. Undefined when
 * there is not so much left of its charge.
 */
export function requestedRefund(
  checkout: Checkout,
  wanted: z.infer<typeof RefundRequest> | undefined,
): { next: Checkout; refund: SandboxRefund; message?: Message } | undefined {
  if (!wanted || checkout.state !== 'paid') return undefined
  const { amount } = wanted
  const id = `${checkout.id}_${wanted.id}`
  const made = checkout.refunds.find((refund) => refund.id === id)
  if (made) return { next: checkout, refund: made }
  const charge = chargeOf(checkout, wanted.chargeId)
  if (!charge || amount > charge.left) return undefined
  const refund = { id, amount, chargeId: charge.id }
  return { ...refundOf(checkout, refund, tellingOf(checkout, 'refund')), refund }
}
