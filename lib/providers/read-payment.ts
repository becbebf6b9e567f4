import { type Clock, timestamp } from '#lib/kernel/clock'
import { keysOf } from '#lib/payments/state/attempt'
import type { Payment } from '#lib/payments/state/payment'
import type { PaymentReading, Reading } from '#lib/payments/state/reading'
import { inTime } from './in-time.ts'
import type { KnownPayment, PaymentProvider } from './provider.ts'

/** The payment to read: ours, or one named by a callback. */
type Question = {
  payment: Payment | null
  /** The ids that a callback named. */
  references?: readonly string[]
  /** Whether the reading may capture money that the payer has approved; false in a dry run. */
  mayCapture?: boolean
}

/**
 * Reads a payment from its provider's API within 5 s; returns null for an unknown or unreadable payment, and for an
 * answer about another payment. Where capturing approved money is a step of its own, captures it and reads again, unless
 * the payment has ended here. Throws `unavailable` when the provider does not answer, so that a callback comes again.
 */
export async function readPayment(
  provider: PaymentProvider,
  question: Question,
  now: Clock,
): Promise<Reading | null> {
  const { payment, references = [], mayCapture = true } = question
  const own = payment ? [payment.id, ...payment.references] : []
  const known = payment && knownPayment(payment)
  // A provider may find refunds only by the keys with which they were requested.
  const refundKeys = Object.entries(payment?.attempts ?? {}).flatMap(([id, attempt]) => keysOf(id, attempt))
  const asked = { references: [...new Set([...own, ...references])], payment: known, refundKeys }
  const read = async (): Promise<Reading | null> => {
    const askedAt = timestamp(now())
    const reading = await provider.readPayment?.(asked)
    return reading ? { ...reading, askedAt } : null
  }
  return inTime(async () => {
    const reading = await read()
    if (!reading || !isAbout(payment, reading)) return null
    const isOpen = known?.status === 'PENDING' || known?.status === 'PROCESSING'
    if (!reading.awaitsCapture || !provider.capture || !isOpen || !mayCapture) return reading
    await provider.capture(known)
    return (await read()) ?? reading
  })
}

/** Whether a reading is about the payment. An unsigned callback could name another payment, and claim its money. */
const isAbout = (payment: Payment | null, { references }: PaymentReading): boolean =>
  payment === null || references.some((name) => name === payment.id || payment.references.includes(name))

/** Returns what a provider receives of a payment. */
export const knownPayment = (payment: Payment): KnownPayment => {
  const { id, amount, currency, phone, references, checkout, status, createdAt, expiresAt } = payment
  return { id, amount, currency, phone, references, checkout, status, createdAt, expiresAt }
}
