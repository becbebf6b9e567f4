import type { Account } from '#lib/accounts/account'
import { type Attempt, countFailures, type Throttle } from '#lib/accounts/throttle/throttle'
import type { Clock } from '#lib/kernel/clock'
import { DomainError } from '#lib/kernel/domain-error'
import { verifyPassword } from './password.ts'

type Deps = { throttle: Throttle; now: Clock }

/**
 * The account whose password this is. A wrong password and an unknown address are one answer,
 * `invalid_credentials`, in the same time, and count alike; see `countFailures` for `too_many_requests`.
 */
export async function provePassword(deps: Deps, attempt: Attempt, password: string): Promise<Account> {
  const isRight = await countFailures(deps, attempt, async () =>
    verifyPassword(password, (await attempt.account)?.passwordHash),
  )
  const account = await attempt.account
  if (!account || !isRight) throw new DomainError('invalid_credentials')
  return account
}
