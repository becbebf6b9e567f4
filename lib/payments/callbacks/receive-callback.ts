import { DomainError } from '#lib/kernel/domain-error'
import { validationFailed } from '#lib/kernel/validation-problem'
import { inTime } from '#lib/providers/in-time'
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
import type { FindPayout } from './subject.ts'

type ReceiveDeps = AuthenticateDeps &
  InterpretDeps &
  StoreCallbackDeps &
  ApplyDeps & {
    findPayout: FindPayout
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

async function receiveEvent(
  deps: ReceiveDeps,
  callback: AuthenticCallback,
  sent: ProviderEvent,
): Promise<void> {
  const subject = sent.payout
    ? await deps.findPayout(callback, sent, sent.payout)
    : paymentSubject(deps, callback, sent)
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
  const { apply } = interpreted.kind === 'read' ? interpreted : subject
  await apply(stored.callback)
}
