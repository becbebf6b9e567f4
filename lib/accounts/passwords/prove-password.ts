import { type Account, NOBODY } from '#lib/accounts/account'
import { countAttempt, PASSWORD_CHECKS } from '#lib/accounts/throttle/count-attempt'
import { countedOf, secondsUntilBelow } from '#lib/accounts/throttle/counters'
import { countFailures, type LoginAttempt, type Throttle } from '#lib/accounts/throttle/throttle'
import { beginAhead } from '#lib/kernel/begin-ahead'
import type { Clock } from '#lib/kernel/clock'
import { HOUR_SECONDS } from '#lib/kernel/clock'
import { DomainError, tooManyRequests } from '#lib/kernel/domain-error'
import { verifyPassword } from './password.ts'
import type { PasswordStore } from './password-store.ts'

type Deps = { passwords: Pick<PasswordStore, 'get'>; throttle: Throttle; now: Clock }

/**
 * Returns the account whose password this is. A wrong password and an unknown address have the same answer,
 * `invalid_credentials`, in the same time, and count alike. Throws `too_many_requests`: checks are limited by network,
 * right passwords by account, and wrong ones by `countFailures`.
 */
export async function provePassword(deps: Deps, attempt: LoginAttempt, password: string): Promise<Account> {
  await countCheck(deps, attempt.ipAddress)
  return checkPassword(deps, attempt, password)
}

/** Counts a check of a password for its network. Throws `too_many_requests`. */
export const countCheck = (deps: Pick<Deps, 'throttle' | 'now'>, ipAddress: string): Promise<void> =>
  countAttempt(deps, PASSWORD_CHECKS, ipAddress)

/** Proves a password whose check was counted for its network. `whenRight` begins as soon as it is known to be right. */
export async function checkPassword(
  deps: Deps,
  attempt: LoginAttempt,
  password: string,
  whenRight: () => Promise<void> = async () => undefined,
): Promise<Account> {
  const hash = beginAhead(attempt.account.then((account) => hashOf(deps, account)))
  let stepsWhenRight: Promise<unknown> | undefined
  const isRight = await countFailures(deps, attempt, async () => {
    const isMatch = await verifyPassword(password, await hash)
    const owner = await attempt.account
    if (owner && isMatch) stepsWhenRight = beginAhead(Promise.all([limitRight(deps, owner), whenRight()]))
    return isMatch
  })
  const account = await attempt.account
  if (!account || !isRight) throw new DomainError('invalid_credentials')
  await stepsWhenRight
  return account
}

/**
 * Returns the hash of an account's password. Undefined where a new password was set after the account was read, and for an
 * unknown account, for which the same read is made.
 */
async function hashOf({ passwords }: Deps, account: Account | undefined): Promise<string | undefined> {
  const stored = await passwords.get(account?.id ?? NOBODY)
  return stored?.revision === account?.passwordRevision ? stored?.hash : undefined
}

const RIGHT_MAX = 60

/** Counts a right password for its account, at most sixty an hour: each check costs a hash. */
async function limitRight({ throttle, now }: Pick<Deps, 'throttle' | 'now'>, { id }: Account): Promise<void> {
  const at = now()
  const right = { subject: `right-password\n${id}`, windowSeconds: HOUR_SECONDS }
  const tally = await throttle.counters.add(right, at, { counted: 1 })
  if (countedOf(tally) <= RIGHT_MAX) return
  const seconds = secondsUntilBelow(right, tally, RIGHT_MAX, at)
  const policy = { policy: 'right-passwords', limit: RIGHT_MAX, windowSeconds: HOUR_SECONDS }
  throw tooManyRequests(policy, seconds, `There were too many sign-ins; try again in ${seconds} seconds`)
}
