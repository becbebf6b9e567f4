import type { AccountStore } from '#lib/accounts/account-store'
import type { SignedInCaller } from '#lib/accounts/reread-caller'
import { type Clock, HOUR_SECONDS } from '#lib/kernel/clock'
import { DomainError, tooManyRequests } from '#lib/kernel/domain-error'
import { type Counted, countedOf } from './counters.ts'
import type { Throttle } from './throttle.ts'

type Deps = { accounts: AccountStore; throttle: Throttle; now: Clock }

/** The number of wrong proofs allowed to a session in an hour. */
const WRONG_MAX = 10

/**
 * Lets a session prove who its user is, or that a new passkey is theirs. The tenth wrong password, code or passkey within an
 * hour ends the session. Each attempt is reserved before it is checked, so that simultaneous ones cannot exceed the limit. A
 * right one does not count: `settle` releases its reservation, and `prove` may call it once the proof is known to be right.
 */
export async function countWrongProofs<T>(
  deps: Deps,
  caller: SignedInCaller,
  prove: (settle: () => Promise<void>) => Promise<T>,
): Promise<T> {
  const { counters } = deps.throttle
  const wrong = { subject: `current-password\n${caller.sessionId}`, windowSeconds: HOUR_SECONDS }
  const at = await reserveProof(deps, caller, wrong)
  let settled: Promise<void> | undefined
  const settle = () => {
    settled ??= counters.settle(wrong, at, { pending: -1 })
    return settled
  }
  try {
    const proven = await prove(settle)
    await settle()
    return proven
  } catch (error) {
    // A proof that failed for another reason, such as `too_many_requests`, does not count as wrong.
    if (!isWrongProof(error)) await settle()
    else {
      const tally = await counters.add(wrong, at, { pending: settled ? 0 : -1, counted: 1 })
      if (countedOf(tally) >= WRONG_MAX) await deps.accounts.endSession(caller.account.id, caller.sessionId)
    }
    throw error
  }
}

/**
 * Reserves an attempt of a session, and returns the moment at which it is counted. Throws `too_many_requests` at once if
 * wrong and undecided attempts reach the limit.
 */
async function reserveProof(deps: Deps, caller: SignedInCaller, wrong: Counted): Promise<Date> {
  const { counters } = deps.throttle
  const at = deps.now()
  const tally = await counters.add(wrong, at, { pending: 1 })
  // The tally includes this attempt, as undecided.
  if (countedOf(tally) + tally.pending <= WRONG_MAX) return at
  await counters.settle(wrong, at, { pending: -1 })
  if (countedOf(tally) >= WRONG_MAX) {
    await deps.accounts.endSession(caller.account.id, caller.sessionId)
    throw new DomainError('unauthenticated')
  }
  const policy = { policy: 'current-password', limit: WRONG_MAX, windowSeconds: wrong.windowSeconds }
  throw tooManyRequests(policy, 1, 'There are too many attempts at once; try again in a second')
}

const isWrongProof = (error: unknown): boolean =>
  error instanceof DomainError &&
  ['invalid_credentials', 'invalid_second_factor', 'invalid_passkey'].includes(error.code)
