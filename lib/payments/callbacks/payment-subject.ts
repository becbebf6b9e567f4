import { sha256 } from '#lib/kernel/signatures'
import { changesNothing, isKnown, statementsOf } from '#lib/payments/state/merge'
import { markDue, type Payment } from '#lib/payments/state/payment'
import type { Reading } from '#lib/payments/state/reading'
import type { ProviderEvent } from '#lib/providers/provider'
import { readPayment } from '#lib/providers/read-payment'
import { type ApplyDeps, applyCallback, findPayment } from './apply.ts'
import type { AuthenticCallback } from './authenticate.ts'
import type { Callback } from './callback.ts'
import type { Interpreted, Question, Subject } from './subject.ts'

/** Returns the payment that an event is about. */
export const paymentSubject = (
  deps: ApplyDeps,
  callback: AuthenticCallback,
  event: ProviderEvent,
): Subject => ({
  weigh: () => (callback.evidence === 'unsigned' ? weighUnsigned : weighSigned)(deps, callback, event),
  apply: (stored) => applyCallback(deps, stored),
})

/** Weighs an event that a signature covers, or of which only the sender is proven (evidence `sender`). */
async function weighSigned(
  deps: ApplyDeps,
  callback: AuthenticCallback,
  event: ProviderEvent,
): Promise<Interpreted | Question> {
  const { name, evidence } = callback
  const { statement, references, fault } = event
  const isBelieved = evidence === 'signed' && statement !== null
  // An event that names no payment, or could not be interpreted, leaves no question to ask.
  const hasQuestion = references.length > 0 && fault === undefined
  // A claim that names no payment is confirmed once an administrator says whose it is.
  if (!hasQuestion && statement && !isBelieved) return { kind: 'claimed' }
  if (isBelieved || !hasQuestion) return { kind: 'stated' }
  const payment = await findPayment(deps.payments, { provider: name, references })
  if (payment && statement && isKnown(payment, statement)) return { kind: 'stated' }
  // A claim about a payment that we do not know is confirmed when the payment appears.
  if (!payment && statement) return { kind: 'claimed' }
  return questionAbout(deps, callback, event, payment)
}

async function weighUnsigned(
  deps: ApplyDeps,
  callback: AuthenticCallback,
  event: ProviderEvent,
): Promise<Interpreted | Question> {
  const { statement, references } = event
  const payment = await findPayment(deps.payments, { provider: callback.name, references })
  // Anyone can send an unsigned claim: one that changes nothing must not cause a call to the provider.
  if (payment && statement && changesNothing(payment, statement)) return { kind: 'settled' }
  if (references.length === 0) return { kind: 'unconfirmed' }
  return questionAbout(deps, callback, event, payment)
}

/** Returns the question to the provider that an event leaves open. */
const questionAbout = (
  deps: ApplyDeps,
  { provider, evidence }: AuthenticCallback,
  event: ProviderEvent,
  payment: Payment | undefined,
): Question => ({
  kind: 'open',
  read: async () => {
    const { references, statement } = event
    const reading = await readPayment(provider, { payment: payment ?? null, references }, deps.now)
    if (evidence === 'unsigned' && (!reading || statementsOf(reading).length === 0))
      return { kind: 'unconfirmed' }
    if (!reading) return { kind: 'claimed' }
    const named = { ...event, references: [...new Set([...references, ...reading.references])] }
    // An event with a signature, or a statement of a proven sender, keeps its id: another event under the id is a conflict.
    const keepsId = evidence === 'signed' || (evidence === 'sender' && statement !== null)
    const apply = (stored: Callback) => applyCallback(deps, stored, reading)
    return { kind: 'read', event: keepsId ? named : asRead(named, reading), apply }
  },
  markDue: async () => payment && storeDue(deps, payment),
})

/**
 * Builds the event of a reading. The same callback may come again and lead to another reading, so the id ends with a
 * hash of the references and of what was read.
 */
function asRead(event: ProviderEvent, reading: Reading): ProviderEvent {
  const state = statementsOf(reading).map(({ at: _, ...stated }) => JSON.stringify(stated))
  const digest = sha256(JSON.stringify([event.references, state.sort()])).slice(0, DIGEST_LENGTH)
  return { ...event, eventId: `${event.eventId}:${digest}`, statement: null }
}

const DIGEST_LENGTH = 16

/** Stores that a payment is due now. A failure is ignored: the payment is then read at its next regular time. */
async function storeDue({ payments, now }: ApplyDeps, payment: Payment): Promise<void> {
  const next = markDue(payment, now())
  if (next) await payments.commit(payments.save(payment, next)).catch(() => undefined)
}
