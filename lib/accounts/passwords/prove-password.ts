import { type Account, NOBODY } from '#lib/accounts/account'
import { countAttempt, PASSWORD_CHECKS } from '#lib/accounts/throttle/count-attempt'
import { type LoginAttempt, type Throttle, tryCredential } from '#lib/accounts/throttle/throttle'
import { beginAhead } from '#lib/kernel/begin-ahead'
import type { Clock } from '#lib/kernel/clock'
import { DomainError } from '#lib/kernel/domain-error'
import { verifyPassword } from './password.ts'
import type { PasswordReader } from './password-store.ts'

type Deps = { passwords: PasswordReader; throttle: Throttle; now: Clock }

/**
 * Returns the account whose password this is. A wrong password and an unknown address have the same answer,
 * `invalid_credentials`, in the same time, and count alike. Throws `too_many_requests`: checks are limited by network,
 * right and wrong passwords by `tryCredential`.
 */
export async function provePassword(deps: Deps, attempt: LoginAttempt, password: string): Promise<Account> {
  await countAttempt(deps, PASSWORD_CHECKS, attempt.ipAddress)
  return checkPassword(deps, attempt, password)
}

/** Proves a password whose check was counted for its network. `whenRight` begins as soon as it is known to be right. */
export async function checkPassword(
  deps: Deps,
  attempt: LoginAttempt,
  password: string,
  whenRight: () => Promise<void> = async () => undefined,
): Promise<Account> {
  const hash = beginAhead(attempt.account.then((account) => hashOf(deps, account)))
  let stepsWhenRight: Promise<void> | undefined
  const proof = await tryCredential(deps, attempt, async () => {
    const isMatch = await verifyPassword(password, await hash)
    const account = await attempt.account
    if (!account || !isMatch) return undefined
    stepsWhenRight = beginAhead(whenRight())
    return { account }
  })
  if (!proof) throw new DomainError('invalid_credentials')
  await stepsWhenRight
  return proof.account
}

/**
 * Returns the hash of an account's password. Undefined where a new password was set after the account was read, and for an
 * unknown account, for which the same read is made.
 */
async function hashOf({ passwords }: Deps, account: Account | undefined): Promise<string | undefined> {
  const stored = await passwords.get(account?.id ?? NOBODY)
  return stored?.revision === account?.passwordRevision ? stored?.hash : undefined
}
