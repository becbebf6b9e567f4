import * as z from 'zod'
import type { Account } from '#lib/accounts/account'
import type { AccountReader } from '#lib/accounts/account-store'
import type { Device } from '#lib/accounts/device'
import {
  ChallengeToken,
  makeChallenge,
  openChallenge,
  webauthnChallenge,
} from '#lib/accounts/second-factor/challenge'
import type { FactorStore } from '#lib/accounts/second-factor/factor-store'
import type { Factors } from '#lib/accounts/second-factor/factors'
import { credentialIdOf } from '#lib/accounts/second-factor/passkey'
import {
  PasskeyCredential,
  PasskeyRequestOptions,
  requestOptions,
} from '#lib/accounts/second-factor/passkey-options'
import type { PasskeySettings } from '#lib/accounts/second-factor/passkey-settings'
import { mergeMethods, type ProofDeps, proveFactor } from '#lib/accounts/second-factor/prove-factor'
import { useFactor } from '#lib/accounts/second-factor/use-factor'
import { countAttempt, PASSWORD_CHECKS } from '#lib/accounts/throttle/count-attempt'
import { type Throttle, tryCredential } from '#lib/accounts/throttle/throttle'
import { beginAhead } from '#lib/kernel/begin-ahead'
import { DomainError } from '#lib/kernel/domain-error'
import type { UserId } from '#lib/kernel/id'
import { retryConflicts } from '#lib/kernel/retry'
import { DeviceToken } from './device-token.ts'
import { type StartDeps, startSession } from './start-session.ts'

/** The browser's options for finding a passkey of the site. */
export const PasskeyRequest = z
  .object({ challenge: z.string().meta({ example: 'mZ1kq0…' }), options: PasskeyRequestOptions })
  .meta({ id: 'PasskeyRequest' })

export const PasskeySignIn = z.object({
  challenge: ChallengeToken,
  credential: PasskeyCredential,
  deviceToken: DeviceToken.nullish(),
})

type Deps = StartDeps &
  ProofDeps & {
    accounts: AccountReader
    factors: FactorStore
    throttle: Throttle
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
 * verify its user. Counts as the check of a password does. Throws `invalid_credentials` for an unknown or wrong passkey,
 * `account_banned` for the right one of a banned account, and `too_many_requests`.
 */
export async function signInWithPasskey(deps: Deps, request: z.infer<typeof PasskeySignIn>, device: Device) {
  const { ipAddress } = device
  // The owner is read while the attempt is counted.
  const networkCount = beginAhead(countAttempt(deps, PASSWORD_CHECKS, ipAddress))
  const identifier = credentialIdOf(request.credential)
  if (identifier === undefined) {
    await networkCount
    throw refused()
  }
  const owner = beginAhead(ownerOf(deps, identifier))
  const account = beginAhead(owner.then((read) => read?.account))
  const first = await tryCredential(deps, { identifier, ipAddress, account }, async () => {
    await networkCount
    const challenge = await openChallenge(deps, 'passkey-sign-in', request.challenge)
    const proven = challenge && (await prove(deps, await owner, request))
    return proven && { ...proven, challenge }
  })
  if (!first) throw refused()
  return retryConflicts(async (isRetry) => {
    const proven = isRetry ? await prove(deps, await readOwner(deps, first.account.id), request) : first
    if (!proven) throw refused()
    if (proven.account.status === 'BANNED') throw new DomainError('account_banned')
    const { summary, writes } = useFactor(deps, proven.account, proven.factors, proven.factor)
    return startSession(
      deps,
      proven.account,
      { ...device, deviceToken: request.deviceToken },
      {
        // Puts the methods in the order in which every token lists them.
        amr: mergeMethods(proven.factor.amr),
        factors: summary,
        also: [...writes, deps.factors.spend(first.challenge, refused)],
      },
    )
  })
}

/** The account that a passkey belongs to, with its factors. */
type Owner = { account: Account; factors: Factors }

async function ownerOf(deps: Deps, credentialId: string): Promise<Owner | undefined> {
  const userId = await deps.factors.ownerOf(credentialId)
  return userId && readOwner(deps, userId)
}

async function readOwner({ accounts, factors }: Deps, userId: UserId): Promise<Owner | undefined> {
  const [account, read] = await Promise.all([accounts.get(userId), factors.get(userId)])
  return account && { account, factors: read }
}

async function prove(deps: Deps, owner: Owner | undefined, request: z.infer<typeof PasskeySignIn>) {
  const factor = owner && (await proveFactor(deps, owner.factors, request, deps.now()))
  return factor && { ...owner, factor }
}

const refused = () => new DomainError('invalid_credentials')
