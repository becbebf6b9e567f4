import { type Account, NOBODY } from '#lib/accounts/account'
import { countAttempt, PASSWORD_CHECKS } from '#lib/accounts/throttle/count-attempt'
import { countedOf, secondsUntilBelow } from '#lib/accounts/throttle/counters'
import { countFailures, type LoginAttempt, type Throttle } from '#lib/accounts/throttle/throttle'
import type { Clock } from '#lib/kernel/clock'
import { HOUR_SECONDS } from '#lib/kernel/clock'
import { DomainError, tooManyRequests } from '#lib/kernel/domain-error'
import { verifyPassword } from './password.ts'
import type { PasswordStore } from './password-store.ts'

type Deps = { passwords: Pick<PasswordStore, 'get'>; throttle: Throttle; now: Clock }

/**
 * Returns the account whose password this is. A wrong password and an unknown address are one answer,
 * `invalid_credentials`, in the same time, and count alike. Throws `too_many_requests`: every check counts for its
 * network, right ones for their account, and wrong ones as `countFailures` says.
 */
export async function provePassword(deps: Deps, attempt: LoginAttempt, password: string): Promise<Account> {
  await countAttempt(deps, PASSWORD_CHECKS, attempt.ipAddress)
  const isRight = await countFailures(deps, attempt, async () =>
    verifyPassword(password, await hashOf(deps, await attempt.account)),
  )
  const account = await attempt.account
  if (!account || !isRight) throw new DomainError('invalid_credentials')
  await countRight(deps, account)
  return account
}

/**
 * The hash of an account's password. A password set after the account was read belongs to a later state of the account.
 */
async function hashOf({ passwords }: Deps, account: Account | undefined): Promise<string | undefined> {
  const stored = await passwords.get(account?.id ?? NOBODY)
  return stored?.revision === account?.passwordRevision ? stored?.hash : undefined
}

const RIGHT_MAX = 60

/** Counts a right password for its account: beyond sixty an hour hashing it would only cost. */
async function countRight({ throttle, now }: Pick<Deps, 'throttle' | 'now'>, { id }: Account): Promise<void> {
  const at = now()
  const right = { subject: `right-password\n${id}`, windowSeconds: HOUR_SECONDS }
  const tally = await throttle.counters.add(right, at, { counted: 1 })
  if (countedOf(tally) <= RIGHT_MAX) return
  const seconds = secondsUntilBelow(right, tally, RIGHT_MAX, at)
  const policy = { policy: 'right-passwords', limit: RIGHT_MAX, windowSeconds: HOUR_SECONDS }
  throw tooManyRequests(policy, seconds, `There were too many sign-ins; try again in ${seconds} seconds`)
}
