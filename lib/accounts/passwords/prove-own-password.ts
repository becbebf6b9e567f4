import type { AccountStore } from '#lib/accounts/account-store'
import type { SignedInCaller } from '#lib/accounts/reread-caller'
import { countedOf } from '#lib/accounts/throttle/counters'
import type { Throttle } from '#lib/accounts/throttle/throttle'
import { beginAhead } from '#lib/kernel/begin-ahead'
import type { Clock } from '#lib/kernel/clock'
import { DomainError } from '#lib/kernel/domain-error'
import type { SessionId, UserId } from '#lib/kernel/id'
import { retryConflicts } from '#lib/kernel/retry'
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
  { account, sessionId }: SignedInCaller,
  password: string,
  ipAddress: string,
  whenRight: () => void = () => undefined,
): Promise<void> {
  const attempt = { email: account.email, ipAddress, account: Promise.resolve(account), isSignedIn: true }
  // The check counts for the network, too. It is counted there while it is counted for the session.
  const networkCount = beginAhead(countCheck(deps, ipAddress))
  await countWrongProofs(deps, { account, sessionId }, async (settle) => {
    await networkCount
    await checkPassword(deps, attempt, password, () => {
      whenRight()
      return settle()
    })
  })
}

/**
 * Lets a session prove who its user is. The tenth wrong password, code or passkey within an hour ends the session. Each
 * attempt is counted before it is checked, so that simultaneous ones cannot exceed the limit. `settle` takes the count of a
 * right one back; `prove` may call it as soon as the proof is known to be right.
 */
export async function countWrongProofs<T>(
  deps: Deps,
  { account, sessionId }: SignedInCaller,
  prove: (settle: () => Promise<void>) => Promise<T>,
): Promise<T> {
  const { throttle, now } = deps
  const wrong = { subject: `current-password\n${sessionId}`, windowSeconds: 60 * 60 }
  const at = now()
  const count = countedOf(await throttle.counters.add(wrong, at, { counted: 1 }))
  if (count > WRONG_MAX) {
    await endSession(deps, account.id, sessionId)
    throw new DomainError('unauthenticated')
  }
  let settled: Promise<void> | undefined
  const settle = () => {
    settled ??= throttle.counters.settle(wrong, at, { counted: -1 })
    return settled
  }
  try {
    const proven = await prove(settle)
    await settle()
    return proven
  } catch (error) {
    // A proof that failed for another reason, such as `too_many_requests`, does not count as wrong.
    if (!isWrongProof(error)) await settle()
    else if (count === WRONG_MAX) await endSession(deps, account.id, sessionId)
    throw error
  }
}

const isWrongProof = (error: unknown): boolean =>
  error instanceof DomainError && ['invalid_credentials', 'invalid_second_factor'].includes(error.code)

const endSession = ({ accounts }: Deps, userId: UserId, sessionId: SessionId): Promise<void> =>
  retryConflicts(async () => {
    const account = await accounts.get(userId)
    if (!account || !(sessionId in account.sessions)) return
    const { [sessionId]: _ended, ...sessions } = account.sessions
    await accounts.save(account, { ...account, sessions }, { ifUnchanged: ['sessions'] })
  })
