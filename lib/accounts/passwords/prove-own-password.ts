import type { AccountStore } from '#lib/accounts/account-store'
import { rereadBySession, type SignedInCaller } from '#lib/accounts/reread-caller'
import { type Counted, countedOf } from '#lib/accounts/throttle/counters'
import { PAUSES_MILLISECONDS, type Throttle } from '#lib/accounts/throttle/throttle'
import { beginAhead } from '#lib/kernel/begin-ahead'
import { type Clock, HOUR_SECONDS } from '#lib/kernel/clock'
import { DomainError, tooManyRequests } from '#lib/kernel/domain-error'
import { pauseAbout, retryConflicts } from '#lib/kernel/retry'
import type { PasswordStore } from './password-store.ts'
import { checkPassword, countCheck } from './prove-password.ts'

type Deps = { accounts: Pick<AccountStore, 'get' | 'save'>; throttle: Throttle; now: Clock }
type PasswordDeps = Deps & { passwords: Pick<PasswordStore, 'get'> }

/** The number of wrong current passwords allowed to a session in an hour. */
const WRONG_MAX = 10

/**
 * Proves the caller's own password once more. A wrong password is `invalid_credentials` and counts as a failed sign-in.
 * The tenth within an hour ends the session, so that a stolen session cannot be used for guessing. `whenRight` is called as
 * soon as the password is known to be right, so that the caller can begin its reads.
 */
export async function proveOwnPassword(
  deps: PasswordDeps,
  caller: SignedInCaller,
  password: string,
  ipAddress: string,
  whenRight: () => void = () => undefined,
): Promise<void> {
  const { account } = caller
  const attempt = { email: account.email, ipAddress, account: Promise.resolve(account), isSignedIn: true }
  // The check counts for the network, too. It is counted there while it is counted for the session.
  const networkCount = beginAhead(countCheck(deps, ipAddress))
  await countWrongProofs(deps, caller, async (settle) => {
    await networkCount
    await checkPassword(deps, attempt, password, () => {
      whenRight()
      return settle()
    })
  })
}

/**
 * Lets a session prove who its user is. The tenth wrong password, code or passkey within an hour ends the session. Each
 * attempt is reserved before it is checked, so that simultaneous ones cannot exceed the limit, and a right one does not
 * count. `settle` releases the reservation of a right one; `prove` may call it as soon as the proof is known to be right.
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
      const tally = await counters.add(wrong, at, { pending: -1, counted: 1 })
      if (countedOf(tally) >= WRONG_MAX) await endSession(deps, caller)
    }
    throw error
  }
}

/**
 * Reserves an attempt of a session, and returns the moment at which it is counted. While only undecided attempts exceed the
 * limit, it waits for their decisions: they may be right.
 */
async function reserveProof(deps: Deps, caller: SignedInCaller, wrong: Counted): Promise<Date> {
  const { counters } = deps.throttle
  for (let waited = 0; ; waited += 1) {
    const at = deps.now()
    const tally = await counters.add(wrong, at, { pending: 1 })
    // The tally includes this attempt, as undecided.
    if (countedOf(tally) + tally.pending <= WRONG_MAX) return at
    await counters.settle(wrong, at, { pending: -1 })
    if (countedOf(tally) >= WRONG_MAX) {
      await endSession(deps, caller)
      throw new DomainError('unauthenticated')
    }
    const pause = PAUSES_MILLISECONDS[waited]
    if (pause === undefined) {
      const policy = { policy: 'current-password', limit: WRONG_MAX, windowSeconds: wrong.windowSeconds }
      throw tooManyRequests(policy, 1, 'There are too many attempts at once; try again in a second')
    }
    await pauseAbout(pause)
    // One of the attempts before may have replaced the password or ended the account.
    await rereadBySession(deps, caller)
  }
}

const isWrongProof = (error: unknown): boolean =>
  error instanceof DomainError && ['invalid_credentials', 'invalid_second_factor'].includes(error.code)

const endSession = ({ accounts }: Deps, { account: seen, sessionId }: SignedInCaller): Promise<void> =>
  retryConflicts(async () => {
    const account = await accounts.get(seen.id)
    if (!account || !(sessionId in account.sessions)) return
    const { [sessionId]: _ended, ...sessions } = account.sessions
    await accounts.save(account, { ...account, sessions }, { ifUnchanged: ['sessions'] })
  })
