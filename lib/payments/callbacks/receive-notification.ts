import { DomainError } from '#lib/kernel/domain-error'
import type { FirstProvider } from '#lib/payments/provider/first-port'
import type { CallbackAnswer, CallbackRequest, ProviderEvent, Trust } from '#lib/payments/provider/provider'
import type { Providers } from '#lib/payments/provider/registry'
import { inTime, tellings } from './confirm.ts'
import { conflictOf, notificationOf, type ReceivedCallback } from './notification.ts'
import { findPayment, type SettleDeps, settle } from './settle-notification.ts'

export type ReceiveDeps = SettleDeps & {
  providers: Providers
  /** Counts what an unsigned callback said and its provider's API did not. */
  count: (what: 'UnconfirmedCallback') => void
}

/**
 * Takes in what a provider calls back: verified, kept, then applied. The same event again answers as the first
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
    const believed = await verifier(deps.providers, known, request)
    return { ...believed, events: await believed.provider.translate(request) }
  })
  for (const event of events) {
    await takeIn(deps, { name, provider, request }, trust, event)
  }
  return provider.acknowledgement
}

type Believed = Exclude<Trust, false>

/** The provider whose secrets vouch for a request, as configured or as configured a moment ago, and how far. */
async function verifier(
  providers: Providers,
  known: FirstProvider,
  request: CallbackRequest & { provider: string },
): Promise<{ provider: FirstProvider; trust: Believed }> {
  const trust = await known.verify(request)
  if (trust !== false) return { provider: known, trust }
  const renewed = await providers.renewed(request.provider)
  const again = renewed ? await renewed.verify(request) : false
  if (renewed && again !== false) return { provider: renewed, trust: again }
  throw new DomainError('invalid_signature')
}

type Callback = ReceivedCallback & { provider: FirstProvider }

async function takeIn(
  deps: ReceiveDeps,
  callback: Callback,
  trust: Believed,
  event: ProviderEvent,
): Promise<void> {
  const pointsOnly = event.statement === null && event.fault === undefined && event.references.length > 0
  if (trust === true && !pointsOnly) return keepAndSettle(deps, callback, event, true)
  if (trust === 'sender' && !pointsOnly) return keepAndSettle(deps, callback, event, false)
  const told = await toldOf(deps, callback, event)
  for (const telling of told) await keepAndSettle(deps, callback, telling, true)
  if (told.length > 0) return
  if (trust !== 'nobody') return keepAndSettle(deps, callback, event, trust === true)
  deps.count('UnconfirmedCallback')
}

/** What the provider's API says of that which a callback is about. */
async function toldOf(deps: ReceiveDeps, { name, provider }: Callback, event: ProviderEvent) {
  const { references } = event
  if (references.length === 0) return []
  const payment = (await findPayment(deps.payments, { provider: name, references })) ?? null
  const told = await tellings(provider, { references, payment, claim: event })
  // Names are part of what an event means: those of the answer, whichever callback pointed at it.
  return told.map((telling) => (telling.references.length > 0 ? telling : { ...telling, references }))
}

async function keepAndSettle(
  deps: ReceiveDeps,
  callback: Callback,
  event: ProviderEvent,
  confirmed: boolean,
): Promise<void> {
  const notification = notificationOf(callback, event, deps, confirmed)
  if (await deps.inbox.insert(notification)) return settle(deps, notification)
  const first = await deps.inbox.get(notification.id)
  if (!first) throw new DomainError('unavailable')
  if (first.meaning === notification.meaning) return settle(deps, first)
  await deps.inbox.insert(conflictOf(notification, first, deps.newId))
}
