import * as z from 'zod'
import { type Account, Email, emailKeyOf, factorMethods, hasSecondFactor } from '#lib/accounts/account'
import type { AccountFinder } from '#lib/accounts/account-store'
import type { Device } from '#lib/accounts/device'
import { Password } from '#lib/accounts/passwords/password'
import type { PasswordReader } from '#lib/accounts/passwords/password-store'
import { provePassword } from '#lib/accounts/passwords/prove-password'
import { makeChallenge, webauthnChallenge } from '#lib/accounts/second-factor/challenge'
import type { FactorReader } from '#lib/accounts/second-factor/factor-store'
import { requestOptions } from '#lib/accounts/second-factor/passkey-options'
import type { PasskeySettings } from '#lib/accounts/second-factor/passkey-settings'
import type { Throttle } from '#lib/accounts/throttle/throttle'
import { beginAhead } from '#lib/kernel/begin-ahead'
import { DomainError } from '#lib/kernel/domain-error'
import { retryConflicts } from '#lib/kernel/retry'
import { DeviceToken, isDeviceOf } from './device-token.ts'
import { PASSWORD_ALONE } from './sign-in.ts'
import { type StartDeps, startSession } from './start-session.ts'

export const Credentials = z.object({
  email: Email,
  password: Password,
  deviceToken: DeviceToken.nullish().meta({
    description: 'Of an earlier sign-in on this device: then no alert is sent. A wrong one counts as none',
  }),
})

type Deps = StartDeps & {
  accounts: AccountFinder
  passwords: PasswordReader
  throttle: Throttle
  factors: FactorReader
  passkeys: PasskeySettings
}

/**
 * Signs a user in. A wrong password and an unknown address have the same answer, `invalid_credentials`, in the same time.
 * The right password throws `account_banned` for a banned account, and `second_factor_required` with a challenge for one
 * with a second factor. Failures are counted, and too many throw `too_many_requests`.
 */
export async function login(
  deps: Deps,
  { email, password, deviceToken }: z.infer<typeof Credentials>,
  device: Device,
) {
  const { accounts } = deps
  const { ipAddress } = device
  // The account is read while `provePassword` counts the attempt.
  const reading = beginAhead(accounts.byEmail(email))
  const proven = await provePassword(
    deps,
    { identifier: emailKeyOf(email), ipAddress, account: reading },
    password,
  )
  return retryConflicts(async (isRetry) => {
    const account = isRetry ? await accounts.get(proven.id) : proven
    // The password that was proven may have been replaced meanwhile.
    if (account?.passwordRevision !== proven.passwordRevision) throw new DomainError('invalid_credentials')
    if (account.status === 'BANNED') throw new DomainError('account_banned')
    if (hasSecondFactor(account)) throw await secondFactorRequired(deps, account, deviceToken)
    return startSession(deps, account, { ...device, deviceToken }, { amr: PASSWORD_ALONE })
  })
}

async function secondFactorRequired(
  deps: Deps,
  account: Account,
  deviceToken: string | null | undefined,
): Promise<DomainError> {
  const isKnownDevice = await isDeviceOf(deps.hmacKeys, account, deviceToken, deps.now())
  const challenge = await makeChallenge(deps, 'sign-in', { account, isKnownDevice })
  const { passkeys } = account.factors.passkeys > 0 ? await deps.factors.get(account.id) : { passkeys: [] }
  const options = requestOptions(deps.passkeys.rpId, webauthnChallenge(challenge), passkeys)
  return new DomainError('second_factor_required', {
    detail: 'Send `challenge` with a second factor to POST /auth/login/second-factor',
    extensions: {
      challenge,
      methods: factorMethods(account),
      passkeyOptions: passkeys.length > 0 ? options : null,
    },
  })
}
