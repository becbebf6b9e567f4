import { DomainError } from '#lib/kernel/domain-error'
import { isKnown, isSettled, statementsOf } from '#lib/payments/merge'
import { lookNow, type Payment } from '#lib/payments/payment'
import { sha256 } from '#lib/payments/provider/kit/signatures'
import {
  asking,
  askingWhile,
  isPaused,
  type Patience,
  QUESTIONS_A_MINUTE,
  refuseWhilePaused,
} from '#lib/payments/provider/patience'
import type {
  CallbackAnswer,
  CallbackRequest,
  PaymentProvider,
  PaymentReading,
  ProviderEvent,
  Trust,
} from '#lib/payments/provider/provider'
import type { Providers } from '#lib/payments/provider/registry'
import { inTime, readPayment } from '#lib/payments/read-payment'
import { findPayment, type SettleDeps } from './apply-notification.ts'
import { conflictOf, notificationOf, type ReceivedCallback } from './notification.ts'
import { settle } from './settle-notification.ts'

export type ReceiveDeps = SettleDeps & {
  providers: Providers
  patience: Patience
  /** Counts what an unsigned callback said and its provider's API did not. */
  count: (what: 'UnconfirmedCallback') => void
}

/**
 * Accepts what a provider calls back: verified, kept, then applied. The same event again answers as the first
 * time and changes nothing; one that says something else under the same id is kept as CONFLICT. What no
 * signature covers is believed only once the provider's API says so too.
 * Throws `not_found` for a provider that is unknown or switched off, and `invalid_signature`, with nothing
 * kept. Any other failure is ours: the provider sends it again, and that completes what was begun.
 */
export async function receiveNotification(
  deps: ReceiveDeps,
  request: CallbackRequest & { provider: string },
): Promise<CallbackAnswer> {
  const name = request.provider
  const known = await deps.providers.find(name)
  if (!known) throw new DomainError('not_found')
  if (!known.methods.some((method) => method === request.method)) {
    throw new DomainError('method_not_allowed', { allow: known.methods })
  }
  if (request.method === 'GET') return known.acknowledgement
  const { provider, trust, events } = await inTime(async () => {
    const believed = await verifier(deps, known, request)
    return { ...believed, events: await believed.provider.translate(request) }
  })
  for (const event of events) await accept(deps, { name, provider, request }, trust, event)
  return provider.acknowledgement
}

async function countQuestion({ patience, now }: ReceiveDeps, name: string): Promise<void> {
  refuseWhilePaused(await patience.of(name), name, now())
  if ((await patience.count(name, 'questions', now())) > QUESTIONS_A_MINUTE) {
    throw new DomainError('unavailable', {
      cause: `${name} was asked ${QUESTIONS_A_MINUTE} times this minute`,
    })
  }
}

type Believed = Exclude<Trust, false>

/** The provider whose secrets vouch for a request, as configured or as configured a moment ago, and how far. */
async function verifier(
  deps: ReceiveDeps,
  known: PaymentProvider,
  request: CallbackRequest & { provider: string },
): Promise<{ provider: PaymentProvider; trust: Believed }> {
  const count = () => countQuestion(deps, request.provider)
  const trust = await known.verify(request, count)
  if (trust !== false) return { provider: known, trust }
  const renewed = await deps.providers.renewed(request.provider)
  const again = renewed ? await renewed.verify(request, count) : false
  if (renewed && again !== false) return { provider: renewed, trust: again }
  throw new DomainError('invalid_signature')
}

type Callback = ReceivedCallback & { provider: PaymentProvider }

async function accept(
  deps: ReceiveDeps,
  callback: Callback,
  trust: Believed,
  event: ProviderEvent,
): Promise<void> {
  const { statement, references } = event
  const pointsOnly = statement === null && event.fault === undefined && references.length > 0
  if (trust === true && !pointsOnly) return keepAndSettle(deps, callback, event, true)
  if (trust !== 'nobody') return confirm(deps, callback, event)
  const payment = await findPayment(deps.payments, { provider: callback.name, references })
  // What is settled is answered without asking the provider: a stranger's claims about it cause no question.
  if (payment && statement && isSettled(payment, statement)) return
  const reading = references.length > 0 ? await readForStranger(deps, callback, event, payment) : null
  const saysSomething = reading && statementsOf(reading).length > 0
  if (saysSomething) return keepAndSettle(deps, callback, asRead(event, reading), false, reading)
  if (reading !== undefined) deps.count('UnconfirmedCallback')
}

/** A callback with a proven sender and unproven contents: read, or kept until they are confirmed. */
async function confirm(deps: ReceiveDeps, callback: Callback, event: ProviderEvent): Promise<void> {
  const { name, provider } = callback
  const { references, statement } = event
  if (references.length === 0 || event.fault) return keepAndSettle(deps, callback, event, true)
  const payment = await findPayment(deps.payments, { provider: name, references })
  if (payment && statement && isKnown(payment, statement)) return keepAndSettle(deps, callback, event, true)
  // A claim about a payment that we do not know waits for that payment: it is read when it appears.
  if (!payment && statement) return keepAndSettle(deps, callback, event, false)
  const question = { payment: payment ?? null, references }
  const read = asking(deps.patience, name, deps.now, () => readPayment(provider, question))
  const reading = await read.catch(async (error: unknown) => {
    // The provider gives up calling back some day; the reconciliation then reads the payment, or says that it cannot.
    if (payment) await lookSoon(deps, payment)
    throw error
  })
  if (!reading) return keepAndSettle(deps, callback, event, false)
  const named = { ...event, references: [...new Set([...references, ...reading.references])] }
  return keepAndSettle(deps, callback, statement ? named : asRead(event, reading), false, reading)
}

/**
 * The event of a reading. What called for it may say the same each time, so the payment, the state and the sums that
 * were read tell two readings apart; no claim of a stranger is in it.
 */
function asRead(event: ProviderEvent, reading: PaymentReading): ProviderEvent {
  const references = [...new Set([...event.references, ...reading.references])]
  const state = statementsOf(reading).map(({ at: _, ...said }) => JSON.stringify(said))
  const digest = sha256(JSON.stringify([references, state.sort()])).slice(0, DIGEST_LENGTH)
  return { ...event, eventId: `${event.eventId}:${digest}`, references, statement: null }
}

const DIGEST_LENGTH = 16

/**
 * The provider's own word about a payment that a stranger's callback names; null when it says nothing. Undefined
 * where the provider is not asked now: the payment is then looked at by the next reconciliation.
 */
async function readForStranger(
  deps: ReceiveDeps,
  { name, provider }: Callback,
  { references }: ProviderEvent,
  payment: Payment | undefined,
): Promise<PaymentReading | null | undefined> {
  const { patience, now } = deps
  const pause = await patience.of(name)
  const isBusy = async () => (await patience.count(name, 'questions', now())) > QUESTIONS_A_MINUTE
  if (isPaused(pause, now()) || (await isBusy())) {
    if (payment) await lookSoon(deps, payment)
    return undefined
  }
  const question = { payment: payment ?? null, references }
  return askingWhile(pause, patience, name, now, () => readPayment(provider, question))
}

/** Another write is as good: the payment is due. */
async function lookSoon({ payments, now }: ReceiveDeps, payment: Payment): Promise<void> {
  const next = lookNow(payment, now())
  if (next) await payments.commit(payments.save(payment, next)).catch(() => undefined)
}

async function keepAndSettle(
  deps: ReceiveDeps,
  callback: Callback,
  event: ProviderEvent,
  confirmed: boolean,
  reading: PaymentReading | null = null,
): Promise<void> {
  const isRead = reading !== null && event.statement === null
  const notification = notificationOf(callback, event, deps, { confirmed, isRead })
  if (await deps.inbox.insert(notification)) return settle(deps, notification, reading)
  const first = await deps.inbox.get(notification.id)
  if (!first) throw new DomainError('unavailable')
  if (first.meaning === notification.meaning) return settle(deps, first, reading)
  await deps.inbox.insert(conflictOf(notification, first, deps.newId))
}
