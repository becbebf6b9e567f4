import { sha256 } from '#lib/kernel/signatures'
import { changesNothing, isKnown, statementsOf } from '#lib/payments/state/merge'
import { markDue, type Payment } from '#lib/payments/state/payment'
import {
  type CircuitBreaker,
  callProvider,
  callWhileClosed,
  isCircuitOpen,
  QUESTIONS_A_MINUTE,
} from '#lib/providers/circuit-breaker'
import type { ProviderEvent } from '#lib/providers/provider'
import { type Reading, readPayment } from '#lib/providers/read-payment'
import { type ApplyDeps, findPayment } from './apply.ts'
import type { AuthenticCallback } from './authenticate.ts'

export type InterpretDeps = ApplyDeps & { circuitBreaker: Pick<CircuitBreaker, 'of' | 'count'> }

/**
 * The second stage of a callback: the meaning of one of its events. `stated`: the event needs no confirmation. `claimed`: it
 * waits until its provider's API confirms it. `read`: the API was read. `settled`: the claim changes nothing.
 * `postponed`: the next reconciliation reads the payment. `unconfirmed`: the API does not confirm an unsigned claim.
 */
type Interpreted = Storable | { kind: 'settled' } | { kind: 'postponed' } | { kind: 'unconfirmed' }

/** The meaning of an event that is stored. */
export type Storable =
  | { kind: 'stated' | 'claimed'; event: ProviderEvent }
  | { kind: 'read'; event: ProviderEvent; reading: Reading }

/** Interprets an event by the evidence of its callback. Throws `unavailable` when the provider does not answer. */
export const interpret = (
  deps: InterpretDeps,
  callback: AuthenticCallback,
  event: ProviderEvent,
): Promise<Interpreted> =>
  callback.evidence === 'unsigned'
    ? interpretUnsigned(deps, callback, event)
    : interpretSigned(deps, callback, event)

/** Interprets an event that a signature covers, or of which only the sender is proven (evidence `sender`). */
async function interpretSigned(
  deps: InterpretDeps,
  { name, provider, evidence }: AuthenticCallback,
  event: ProviderEvent,
): Promise<Interpreted> {
  const { statement, references, fault } = event
  const isBelieved = evidence === 'signed' && statement !== null
  // An event that names no payment, or could not be interpreted, leaves no question to ask.
  const hasQuestion = references.length > 0 && fault === undefined
  // A claim that names no payment is confirmed once an administrator says whose it is.
  if (!hasQuestion && statement && !isBelieved) return { kind: 'claimed', event }
  if (isBelieved || !hasQuestion) return { kind: 'stated', event }
  const payment = await findPayment(deps.payments, { provider: name, references })
  if (payment && statement && isKnown(payment, statement)) return { kind: 'stated', event }
  // A claim about a payment that we do not know is confirmed when the payment appears.
  if (!payment && statement) return { kind: 'claimed', event }
  const question = { payment: payment ?? null, references }
  const read = () => readPayment(provider, question, deps.now)
  const reading = await callProvider(deps.circuitBreaker, name, deps.now, read).catch(
    async (error: unknown) => {
      // The provider gives up calling back some day; the reconciliation then reads the payment.
      if (payment) await storeDue(deps, payment)
      throw error
    },
  )
  if (!reading) return { kind: 'claimed', event }
  const referenced = { ...event, references: [...new Set([...references, ...reading.references])] }
  // An event with a statement or a full signature keeps its id: another event under the same id is then a conflict.
  const keepsId = statement !== null || evidence === 'signed'
  return { kind: 'read', event: keepsId ? referenced : asRead(event, reading), reading }
}

async function interpretUnsigned(
  deps: InterpretDeps,
  { name, provider }: AuthenticCallback,
  event: ProviderEvent,
): Promise<Interpreted> {
  const { statement, references } = event
  const payment = await findPayment(deps.payments, { provider: name, references })
  // Anyone can send an unsigned claim: one that changes nothing must not cause a call to the provider.
  if (payment && statement && changesNothing(payment, statement)) return { kind: 'settled' }
  if (references.length === 0) return { kind: 'unconfirmed' }
  const { circuitBreaker, now } = deps
  const circuit = await circuitBreaker.of(name)
  const mayAsk =
    !isCircuitOpen(circuit, now()) &&
    (await circuitBreaker.count(name, 'questions', now())) <= QUESTIONS_A_MINUTE
  if (!mayAsk) {
    if (payment) await storeDue(deps, payment)
    return { kind: 'postponed' }
  }
  const question = { payment: payment ?? null, references }
  const read = () => readPayment(provider, question, now)
  const reading = await callWhileClosed(circuit, circuitBreaker, name, now, read)
  if (!reading || statementsOf(reading).length === 0) return { kind: 'unconfirmed' }
  return { kind: 'read', event: asRead(event, reading), reading }
}

/**
 * Builds the event of a reading. The same callback may come again and lead to another reading, so the id ends with a
 * hash of the references and of what was read.
 */
function asRead(event: ProviderEvent, reading: Reading): ProviderEvent {
  const references = [...new Set([...event.references, ...reading.references])]
  const state = statementsOf(reading).map(({ at: _, ...stated }) => JSON.stringify(stated))
  const digest = sha256(JSON.stringify([references, state.sort()])).slice(0, DIGEST_LENGTH)
  return { ...event, eventId: `${event.eventId}:${digest}`, references, statement: null }
}

const DIGEST_LENGTH = 16

/** Stores that a payment is due now. A failure is ignored: the payment is then read at its next regular time. */
async function storeDue({ payments, now }: InterpretDeps, payment: Payment): Promise<void> {
  const next = markDue(payment, now())
  if (next) await payments.commit(payments.save(payment, next)).catch(() => undefined)
}
