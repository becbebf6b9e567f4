import { timestamp } from '#lib/kernel/clock'
import { DomainError } from '#lib/kernel/domain-error'
import { type Write, WriteConflict } from '#lib/kernel/write'
import { changePayment } from '#lib/payments/change-payment'
import type { Statement } from '#lib/payments/fact'
import { isKnown, withReading } from '#lib/payments/merge'
import type { Payment } from '#lib/payments/payment'
import { ReferenceTaken } from '#lib/payments/payment-store'
import { asking } from '#lib/payments/provider/patience'
import type { PaymentReading } from '#lib/payments/provider/provider'
import { readPayment } from '#lib/payments/read-payment'
import { untilWon } from '#lib/payments/until-won'
import { applied, findPayment, type SettleDeps, type Told } from './apply-notification.ts'
import { type Notification, withoutPayer } from './notification.ts'

/**
 * Brings a kept notification to its end: into the payment it speaks of, or to wait for that payment. Safe to repeat,
 * in parallel too: however many settle it, the payment moves once, and what one began another ends. An unsigned
 * statement is confirmed by a reading first, and waits until the provider's API confirms it. Throws `unavailable`
 * when the API does not answer.
 */
export async function settle(
  deps: SettleDeps,
  notification: Notification,
  reading: PaymentReading | null = null,
): Promise<void> {
  const { provider, references, status } = notification
  // The function that processed it may have died before it looked for what waits by the names learnt.
  if (status === 'PROCESSED') return settleWaiting(deps, provider, references)
  if (status !== 'UNMATCHED' || (await apply(deps, notification, reading)) || notification.waits) return
  // The payment may be written after the first look, and look for waiting ones before this one waits: look again.
  await apply(deps, await waitFor(deps, notification), reading)
}

/** Settles what waits for a payment by these names. Call it once they are written. */
export async function settleWaiting(
  deps: SettleDeps,
  provider: string,
  references: readonly string[],
): Promise<void> {
  if (references.length === 0) return
  for (const waiting of await deps.inbox.waiting(provider, references)) {
    // No provider calls back for this: what cannot be confirmed now goes on waiting.
    await apply(deps, waiting, null).catch((error: unknown) => {
      if (waiting.confirmed || !isTransient(error)) throw error
    })
  }
}

const isTransient = (error: unknown): boolean =>
  error instanceof WriteConflict || (error instanceof DomainError && error.code === 'unavailable')

const UNCONFIRMED = "The provider's API has not confirmed it"

/** Stores under its names that a notification waits, unless another function has closed it meanwhile. */
async function waitFor({ inbox }: SettleDeps, notification: Notification): Promise<Notification> {
  try {
    return await inbox.wait(notification.confirmed ? notification : { ...notification, detail: UNCONFIRMED })
  } catch (error) {
    const now = error instanceof WriteConflict ? await inbox.get(notification.id) : undefined
    if (now && now.status !== 'UNMATCHED') return now
    throw error
  }
}

/** Applies a notification to its payment; false when there is no such payment yet, or its provider does not confirm it. */
async function apply(
  deps: SettleDeps,
  notification: Notification,
  known: PaymentReading | null,
): Promise<boolean> {
  if (notification.status !== 'UNMATCHED') return true
  const found = await findPayment(deps.payments, notification)
  if (!found) return false
  const told = await toldOf(deps, notification, found, known)
  if (!told) return false
  if ('behind' in told) {
    await storeReading(deps, notification, found, told.behind)
    return false
  }
  await applyTo(deps, notification, found, told)
  return true
}

/** Stores the facts of a notification in its payment. Starts over when the payment has changed. */
export async function applyTo(
  deps: SettleDeps,
  notification: Notification,
  found: Payment,
  told: Told,
  also: Write[] = [],
): Promise<void> {
  const learnt = await untilWon(async () => {
    const payment = await deps.payments.get(found.id)
    if (!payment) return []
    const application = await applied(deps, payment, notification, told)
    try {
      await deps.payments.commit([...application.writes, ...also])
      return application.learnt
    } catch (error) {
      if (error instanceof ReferenceTaken) return inConflict(deps, notification, payment, error)
      // Another copy of it may have been faster: then all is done.
      const isDone =
        error instanceof WriteConflict && (await deps.inbox.get(notification.id))?.status !== 'UNMATCHED'
      if (isDone) return []
      throw error
    }
  })
  await settleWaiting(deps, notification.provider, learnt)
}

/** Stores what an API says that is behind its own callback; the callback goes on waiting. */
const storeReading = (
  deps: SettleDeps,
  { provider }: Notification,
  found: Payment,
  reading: PaymentReading,
): Promise<Payment> =>
  changePayment(
    deps,
    found.id,
    { actor: `provider:${provider}`, reason: 'read' },
    (payment) => withReading(payment, reading, deps.now()).next,
  )

/** A name that another payment has already: the second word is kept for an administrator. */
async function inConflict(
  { inbox, payments, now }: SettleDeps,
  notification: Notification,
  payment: Payment,
  { message: detail }: ReferenceTaken,
): Promise<string[]> {
  const outcome = {
    ...(payment.isPayerErased && withoutPayer(notification)),
    status: 'CONFLICT' as const,
    detail,
    paymentId: payment.id,
    processedAt: timestamp(now()),
  }
  await payments.commit(inbox.close(notification, outcome))
  return []
}

/**
 * What a notification says: its signed statement, or what the API says. `behind`: the API says something, but not yet
 * what is claimed. Null where it says nothing.
 */
export async function toldOf(
  deps: SettleDeps,
  { statement, confirmed, provider: name, references }: Notification,
  payment: Payment,
  known: PaymentReading | null,
  mayCapture = true,
): Promise<Told | { behind: PaymentReading } | null> {
  if (statement && confirmed) return { statement }
  const provider = await deps.providers.find(name)
  if (!provider) return null
  const question = { payment, references, mayCapture }
  const reading =
    known ?? (await asking(deps.patience, name, deps.now, () => readPayment(provider, question)))
  if (!reading) return null
  return !statement || bearsOut(payment, reading, statement, deps.now()) ? { reading } : { behind: reading }
}

/**
 * Whether a reading confirms the claim of a callback. How a payment stands settles any claim of that; money that went
 * back, or is disputed, only what says so too: the API may be behind its own callback.
 */
function bearsOut(payment: Payment, reading: PaymentReading, claimed: Statement, now: Date): boolean {
  if (claimed.kind === 'refund') {
    return reading.refunds.some(({ providerRefundId }) => providerRefundId === claimed.providerRefundId)
  }
  if (claimed.kind === 'dispute') return isKnown(withReading(payment, reading, now).next, claimed)
  return reading.charges.length > 0
}
