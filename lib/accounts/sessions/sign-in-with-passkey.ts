import * as z from 'zod'
import type { AccountStore } from '#lib/accounts/account-store'
import type { Device } from '#lib/accounts/device'
import {
  ChallengeToken,
  makeChallenge,
  openChallenge,
  webauthnChallenge,
} from '#lib/accounts/second-factor/challenge'
import type { FactorStore } from '#lib/accounts/second-factor/factor-store'
import { credentialIdOf } from '#lib/accounts/second-factor/passkey'
import {
  PasskeyCredential,
  PasskeyRequestOptions,
  requestOptions,
} from '#lib/accounts/second-factor/passkey-options'
import type { PasskeySettings } from '#lib/accounts/second-factor/passkey-settings'
import { mergeMethods, type ProofDeps, proveFactor } from '#lib/accounts/second-factor/prove-factor'
import { useFactor } from '#lib/accounts/second-factor/use-factor'
import { DomainError } from '#lib/kernel/domain-error'
import { retryConflicts } from '#lib/kernel/retry'
import { DeviceToken } from './device-token.ts'
import type { SessionDeps } from './sign-in.ts'
import { startSession } from './start-session.ts'

/** The browser's options for finding a passkey of the site. */
export const PasskeyRequest = z
  .object({ challenge: z.string(), options: PasskeyRequestOptions })
  .meta({ id: 'PasskeyRequest' })

export const PasskeySignIn = z.object({
  challenge: ChallengeToken,
  credential: PasskeyCredential,
  deviceToken: DeviceToken.nullish(),
})

type Deps = SessionDeps &
  ProofDeps & {
    accounts: Pick<AccountStore, 'get' | 'insertSession' | 'save'>
    factors: Pick<FactorStore, 'get' | 'ownerOf' | 'replace' | 'spend' | 'unscheduleRemoval'>
  }

/** Begins a sign-in by passkey alone, for anyone; the database stays unchanged. */
export async function beginPasskeySignIn(
  deps: Pick<Deps, 'hmacKeys' | 'now'> & { passkeys: PasskeySettings },
): Promise<z.infer<typeof PasskeyRequest>> {
  const challenge = await makeChallenge(deps, 'passkey-sign-in')
  return { challenge, options: requestOptions(deps.passkeys.rpId, webauthnChallenge(challenge)) }
}

/**
 * Signs a user in by a passkey alone, which proves both factors: `proveFactor` refuses an authenticator that did not
 * verify its user. Throws `invalid_credentials` for an unknown or wrong passkey, and `account_banned` for the right one
 * of a banned account.
 */
export async function signInWithPasskey(deps: Deps, request: z.infer<typeof PasskeySignIn>, device: Device) {
  const challenge = await openChallenge(deps, 'passkey-sign-in', request.challenge)
  const credentialId = credentialIdOf(request.credential)
  const userId = challenge && credentialId && (await deps.factors.ownerOf(credentialId))
  if (!challenge || !userId) throw refused()
  return retryConflicts(async () => {
    const [account, seen] = await Promise.all([deps.accounts.get(userId), deps.factors.get(userId)])
    const factor = account && (await proveFactor(deps, seen, request, deps.now()))
    if (!account || !factor) throw refused()
    if (account.status === 'BANNED') throw new DomainError('account_banned')
    const { summary, writes } = useFactor(deps, account, seen, factor)
    return startSession(
      deps,
      account,
      { ...device, deviceToken: request.deviceToken },
      {
        // Puts the methods in the order in which every token lists them.
        amr: mergeMethods(factor.amr),
        factors: summary,
        also: [...writes, deps.factors.spend(challenge, refused)],
      },
    )
  })
}

const refused = () => new DomainError('invalid_credentials')
