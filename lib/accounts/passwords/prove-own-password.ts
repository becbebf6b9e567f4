import { emailKeyOf } from '#lib/accounts/account'
import type { AccountStore } from '#lib/accounts/account-store'
import type { SignedInCaller } from '#lib/accounts/reread-caller'
import { countAttempt, PASSWORD_CHECKS } from '#lib/accounts/throttle/count-attempt'
import { countWrongProofs } from '#lib/accounts/throttle/count-wrong-proofs'
import type { Throttle } from '#lib/accounts/throttle/throttle'
import { beginAhead } from '#lib/kernel/begin-ahead'
import type { Clock } from '#lib/kernel/clock'
import type { PasswordReader } from './password-store.ts'
import { checkPassword } from './prove-password.ts'

type Deps = {
  accounts: AccountStore
  passwords: PasswordReader
  throttle: Throttle
  now: Clock
}

/**
 * Proves the caller's own password once more. A wrong password is `invalid_credentials` and counts as a failed sign-in.
 * The tenth within an hour ends the session, so that a stolen session cannot be used for guessing. `whenRight` is called as
 * soon as the password is known to be right, so that the caller can begin its reads.
 */
export async function proveOwnPassword(
  deps: Deps,
  caller: SignedInCaller,
  password: string,
  ipAddress: string,
  whenRight: () => void = () => undefined,
): Promise<void> {
  const { account } = caller
  const identifier = emailKeyOf(account.email)
  const attempt = { identifier, ipAddress, account: Promise.resolve(account), isSignedIn: true }
  // The check counts for the network, too. It is counted there while it is counted for the session.
  const networkCount = beginAhead(countAttempt(deps, PASSWORD_CHECKS, ipAddress))
  await countWrongProofs(deps, caller, async (settle) => {
    await networkCount
    await checkPassword(deps, attempt, password, () => {
      whenRight()
      return settle()
    })
  })
}
