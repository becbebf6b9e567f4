import { DomainError } from '#lib/kernel/domain-error'
import { validationFailed } from '#lib/kernel/validation-problem'
import { inTime } from '#lib/providers/in-time'
import type { PayoutClaim, PayoutState } from '#lib/providers/payout-port'
import type { CallbackAnswer, ProviderEvent } from '#lib/providers/provider'
import type { ApplyDeps } from './apply.ts'
import {
  type AddressedRequest,
  type AuthenticateDeps,
  type AuthenticCallback,
  authenticate,
} from './authenticate.ts'
import { type InterpretDeps, interpret } from './interpret.ts'
import { paymentSubject } from './payment-subject.ts'
import { type StoreCallbackDeps, storeCallback } from './store.ts'
import type { Subject } from './subject.ts'

/** Returns the payout that an event claims something about. The payouts implement this port. */
export type PayoutSubject = (
  callback: AuthenticCallback,
  event: ProviderEvent,
  claim: PayoutClaim,
) => Promise<Subject<PayoutState>>

type ReceiveDeps = AuthenticateDeps &
  InterpretDeps &
  StoreCallbackDeps &
  ApplyDeps & {
    payoutSubject: PayoutSubject
    /** Counts an unsigned callback that its provider's API did not confirm. */
    count: (what: 'UnconfirmedCallback') => void
  }

/**
 * Receives what a provider calls back, in four stages: authenticate, interpret, store, apply. The same event again gets
 * the first answer and changes nothing. Throws `not_found` for a provider that is unknown or switched off,
 * `method_not_allowed`, and `invalid_signature`: a callback refused with these is not stored. Throws `validation_failed`
 * for a message that its sender has to correct, which is stored. Any other failure is ours: the provider sends the callback
 * again, and that completes what was begun.
 */
export async function receiveCallback(deps: ReceiveDeps, request: AddressedRequest): Promise<CallbackAnswer> {
  const authenticated = await authenticate(deps, request)
  switch (authenticated.kind) {
    case 'unknown_provider':
      throw new DomainError('not_found')
    case 'wrong_method':
      throw new DomainError('method_not_allowed', { allow: authenticated.allow })
    case 'forged':
      throw new DomainError('invalid_signature')
    case 'ping':
      return authenticated.provider.acknowledgement
    case 'authentic': {
      const { callback } = authenticated
      // The provider splits the callback into events, within 5 s since it may ask its API. `interpret` then weighs each.
      const events = await inTime(async () => callback.provider.interpret(request))
      for (const event of events) await receiveEvent(deps, callback, event)
      const errors = events.flatMap((event) => event.errors ?? [])
      if (errors.length > 0) throw validationFailed(errors)
      return callback.provider.acknowledgement
    }
  }
}

const receiveEvent = async (
  deps: ReceiveDeps,
  callback: AuthenticCallback,
  event: ProviderEvent,
): Promise<void> =>
  event.payout
    ? receiveAbout(await deps.payoutSubject(callback, event, event.payout), deps, callback, event)
    : receiveAbout(paymentSubject(deps, callback, event), deps, callback, event)

async function receiveAbout<Reading>(
  subject: Subject<Reading>,
  deps: ReceiveDeps,
  callback: AuthenticCallback,
  sent: ProviderEvent,
): Promise<void> {
  const interpreted = await interpret(deps, callback, subject)
  // The event changes nothing, or a job reads the provider.
  if (interpreted.kind === 'settled' || interpreted.kind === 'postponed') return
  // An unsigned event that the provider's API does not confirm is not stored: anyone may have sent it.
  if (interpreted.kind === 'unconfirmed') {
    if (callback.provider.refusesUnconfirmed) throw new DomainError('invalid_signature')
    return deps.count('UnconfirmedCallback')
  }
  const stored = await storeCallback(deps, callback, { sent, interpreted })
  // An event that contradicts the first under its id is not applied.
  if (stored.kind === 'conflict') return
  await subject.apply(stored.callback, interpreted.kind === 'read' ? interpreted.reading : null)
}
