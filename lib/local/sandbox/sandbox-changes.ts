import * as z from 'zod'
import { exponentOf, toMinorUnits } from '#lib/kernel/money'
import type { Checkout } from './sandbox-store.ts'

/** A message of a payment gateway, of one of four types, with an id of its own. */
export type Message = { id: string; type: string; data: Record<string, unknown> }
type MakeMessage = (type: string, fields: object) => Message
/** A change of a checkout, the message about it, and the way in which the message is delivered. */
type Change = { next: Checkout; message: Message; manner?: 'twice' | 'late' | undefined }

/** Returns the maker of messages about one press. The counts in an id tell a press from earlier ones of the same button. */
const messagesOf =
  ({ id, reference, deliveries, refunds }: Checkout, action: string): MakeMessage =>
  (type, fields) => ({
    id: `msg_${id}_${deliveries.length}_${refunds.length}_${action}`,
    type,
    data: { reference, ...fields },
  })

/** Returns the change of a pressed button; undefined for a button that does nothing in this state. */
export function changeOf(checkout: Checkout, pressed: URLSearchParams): Change | undefined {
  const action = pressed.get('action') ?? ''
  const make = messagesOf(checkout, action)
  return checkout.state === 'paid'
    ? afterPayment(checkout, action, pressed, make)
    : beforePayment(checkout, action, make)
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
  const hasOutcome = disputeOutcome !== null && OUTCOMES[action] === disputeOutcome
  return PAYING.includes(action) || hasOutcome
}

const PAYING = ['pay', 'deliver-twice', 'deliver-late']
const OUTCOMES: Record<string, 'won' | 'lost'> = { win: 'won', lose: 'lost' }

/**
 * Returns the change of a checkout that is not paid. A failed or cancelled one may be paid too, since a payer may try
 * again; so may a closed one, whose payment then arrives late.
 */
function beforePayment(checkout: Checkout, action: string, make: MakeMessage): Change | undefined {
  const paid = {
    next: { ...checkout, state: 'paid' },
    message: make('payment.succeeded', chargeOf(checkout)),
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
      return {
        next: { ...checkout, state: 'failed' },
        message: make('payment.failed', { status: 'failed', ...why }),
      }
    }
    case 'cancel':
      return {
        next: { ...checkout, state: 'cancelled' },
        message: make('payment.failed', { status: 'cancelled' }),
      }
    default:
      return undefined
  }
}

function afterPayment(
  checkout: Checkout,
  action: string,
  pressed: URLSearchParams,
  make: MakeMessage,
): Change | undefined {
  switch (action) {
    case 'refund':
      return pressedRefund(checkout, pressed, make)
    case 'pay-again': {
      if (checkout.secondCharge) return undefined
      const secondCharge = { id: `${checkout.id}_second`, amount: checkout.amount }
      const message = make('payment.succeeded', chargeOf({ ...checkout, ...secondCharge }))
      return { next: { ...checkout, secondCharge }, message }
    }
    case 'dispute':
      if (checkout.disputed) return undefined
      return { next: { ...checkout, disputed: true }, message: disputeMessage(checkout, make, 'opened') }
    default:
      return endDispute(checkout, OUTCOMES[action], make)
  }
}

const chargeOf = ({ id, amount, currency }: Pick<Checkout, 'id' | 'amount' | 'currency'>) => ({
  id,
  amount,
  currency,
})

const disputeMessage = (checkout: Checkout, make: MakeMessage, status: string): Message => {
  const { id, ...money } = chargeOf(checkout)
  return make('payment.disputed', { dispute_id: `${id}_dispute`, charge_id: id, status, ...money })
}

/** Ends a dispute. A lost dispute may still be won. */
function endDispute(
  checkout: Checkout,
  outcome: 'won' | 'lost' | undefined,
  make: MakeMessage,
): Change | undefined {
  const { disputed, disputeOutcome } = checkout
  const mayEnd = disputed && (disputeOutcome === null || (disputeOutcome === 'lost' && outcome === 'won'))
  if (!outcome || !mayEnd) return undefined
  return { next: { ...checkout, disputeOutcome: outcome }, message: disputeMessage(checkout, make, outcome) }
}

/** One charge of a checkout and what is left of it; `id` is null for the first. */
export type ChargeLeft = { id: string | null; left: number }

/** Returns the charges of a paid checkout, the first one first. */
export function chargesLeft({ amount, secondCharge, refunds }: Checkout): ChargeLeft[] {
  const charges = [{ id: null, amount }, ...(secondCharge ? [secondCharge] : [])]
  return charges.map((charge) => {
    const given = refunds.filter(({ chargeId }) => chargeId === charge.id)
    return { id: charge.id, left: given.reduce((left, refund) => left - refund.amount, charge.amount) }
  })
}

/** Returns the charge that a refund names; the first one where it names none, or the checkout itself. */
function chargeNamed(checkout: Checkout, name: string | null | undefined): ChargeLeft | undefined {
  const isFirst = !name || name === checkout.id
  return chargesLeft(checkout).find(({ id }) => id === (isFirst ? null : name))
}

function pressedRefund(checkout: Checkout, pressed: URLSearchParams, make: MakeMessage): Change | undefined {
  const charge = chargeNamed(checkout, pressed.get('charge'))
  if (!charge) return undefined
  const text = pressed.get('amount')
  const amount = text === null ? charge.left : toMinorUnits(text.trim(), exponentOf(checkout.currency))
  if (amount === undefined || amount < 1 || amount > charge.left) return undefined
  const id = `${checkout.id}_refund_${checkout.refunds.length}`
  return refundOf(checkout, { id, amount, chargeId: charge.id }, make)
}

type SandboxRefund = Checkout['refunds'][number]

/** Makes a refund, for the page or for the service. */
const refundOf = (checkout: Checkout, refund: SandboxRefund, make: MakeMessage): Change => ({
  next: {
    ...checkout,
    refunded: checkout.refunded + refund.amount,
    refunds: [...checkout.refunds, refund],
  },
  message: make('payment.refunded', {
    refund_id: refund.id,
    status: 'succeeded',
    amount: refund.amount,
    currency: checkout.currency,
    charge_id: refund.chargeId ?? checkout.id,
  }),
})

/** A refund that the service requests: the service's id, the amount and the charge. */
export const RefundRequest = z.object({
  id: z.string().min(1),
  amount: z.int().min(1),
  chargeId: z.string().nullish(),
})

/**
 * Makes a refund that the service requests; a repeated request returns the first refund. Returns undefined without a
 * payment, and if less is left of the charge.
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
  const charge = chargeNamed(checkout, wanted.chargeId)
  if (!charge || amount > charge.left) return undefined
  const refund = { id, amount, chargeId: charge.id }
  return { ...refundOf(checkout, refund, messagesOf(checkout, 'refund')), refund }
}
