import { DomainError } from '#lib/kernel/domain-error'
import { type CircuitBreaker, QUESTIONS_A_MINUTE, refuseWhileOpen } from '#lib/providers/circuit-breaker'
import { inTime } from '#lib/providers/in-time'
import type { CallbackRequest, Evidence, PaymentProvider } from '#lib/providers/provider'
import type { Providers } from '#lib/providers/registry'

export type AuthenticateDeps = {
  providers: Providers
  circuitBreaker: CircuitBreaker
  now: () => Date
}

/** A callback as it arrived, and the provider account that it names. */
export type AddressedRequest = CallbackRequest & { provider: string }

/** An authentic callback: its account, the account's provider, and what shows that it is authentic. */
export type AuthenticCallback = {
  name: string
  provider: PaymentProvider
  request: AddressedRequest
  evidence: Exclude<Evidence, 'forged'>
}

/** The result of the first stage of a callback, which checks who sent it. */
type Authenticated =
  | { kind: 'unknown_provider' }
  | { kind: 'wrong_method'; allow: PaymentProvider['callbackMethods'] }
  | { kind: 'ping'; provider: PaymentProvider }
  | { kind: 'forged' }
  | { kind: 'authentic'; callback: AuthenticCallback }

/**
 * Checks the evidence of a callback, with secrets read again where the known ones do not fit. Throws `unavailable` where
 * only the provider can check, and does not answer or was asked 20 times in this minute.
 */
export async function authenticate(
  deps: AuthenticateDeps,
  request: AddressedRequest,
): Promise<Authenticated> {
  const name = request.provider
  const known = await deps.providers.find(name)
  if (!known) return { kind: 'unknown_provider' }
  if (!known.callbackMethods.some((method) => method === request.method)) {
    return { kind: 'wrong_method', allow: known.callbackMethods }
  }
  if (request.method === 'GET') return { kind: 'ping', provider: known }
  // A provider that verifies by a call of its own awaits this first.
  const count = () => countQuestion(deps, name)
  return inTime(async () => {
    const evidence = await known.verify(request, count)
    if (evidence !== 'forged') return authentic({ name, provider: known, request, evidence })
    const renewed = await deps.providers.renewed(name)
    const renewedEvidence = renewed ? await renewed.verify(request, count) : 'forged'
    if (!renewed || renewedEvidence === 'forged') return { kind: 'forged' }
    return authentic({ name, provider: renewed, request, evidence: renewedEvidence })
  })
}

const authentic = (callback: AuthenticCallback): Authenticated => ({ kind: 'authentic', callback })

async function countQuestion({ circuitBreaker, now }: AuthenticateDeps, name: string): Promise<void> {
  refuseWhileOpen(await circuitBreaker.of(name), name, now())
  if ((await circuitBreaker.count(name, 'questions', now())) > QUESTIONS_A_MINUTE) {
    throw new DomainError('unavailable', {
      cause: `${name} was asked ${QUESTIONS_A_MINUTE} times this minute`,
    })
  }
}
