import { DomainError } from '#lib/kernel/domain-error'
import { conflictOf, notificationOf, type VerifiedCallback } from './notification.ts'
import type { CallbackAnswer, CallbackRequest, PaymentProvider, ProviderEvent } from './provider.ts'
import type { Providers } from './providers.ts'
import { type SettleDeps, settle } from './settle-notification.ts'

export type ReceiveDeps = SettleDeps & { providers: Providers }

/**
 * Takes in what a provider calls back: verified, kept, then applied. The same event again answers as the first
 * time and changes nothing; one that says something else under the same id is kept as CONFLICT.
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
    throw new DomainError('method_not_allowed', { headers: { allow: known.methods.join(', ') } })
  }
  const provider = await verifier(deps.providers, known, request)
  for (const event of await provider.translate(request)) {
    await keepAndSettle(deps, { name, provider, request }, event)
  }
  return provider.acknowledgement
}

/** The provider whose secrets vouch for a request: as configured, or as configured a moment ago. */
async function verifier(
  providers: Providers,
  known: PaymentProvider,
  request: CallbackRequest & { provider: string },
): Promise<PaymentProvider> {
  if (await known.verify(request)) return known
  const renewed = await providers.renewed(request.provider)
  if (renewed && (await renewed.verify(request))) return renewed
  throw new DomainError('invalid_signature')
}

async function keepAndSettle(
  deps: ReceiveDeps,
  callback: VerifiedCallback,
  event: ProviderEvent,
): Promise<void> {
  const notification = notificationOf(callback, event, deps)
  if (await deps.inbox.insert(notification)) return settle(deps, notification)
  const first = await deps.inbox.get(notification.id)
  if (!first) throw new DomainError('unavailable')
  if (first.meaning === notification.meaning) return settle(deps, first)
  await deps.inbox.insert(conflictOf(notification, first, deps.newId))
}
