import * as z from 'zod'
import type { Account } from '#lib/accounts/account'
import type { AccountStore } from '#lib/accounts/account-store'
import { rereadByPassword, rereadBySession, type SignedInCaller } from '#lib/accounts/reread-caller'
import { countWrongProofs } from '#lib/accounts/throttle/count-wrong-proofs'
import type { Throttle } from '#lib/accounts/throttle/throttle'
import { beginAhead } from '#lib/kernel/begin-ahead'
import { DomainError } from '#lib/kernel/domain-error'
import type { PasskeyId } from '#lib/kernel/id'
import { retryConflicts } from '#lib/kernel/retry'
import type { HmacKeys } from '#lib/kernel/signed-token'
import { nameLine } from '#lib/kernel/text'
import { ChallengeToken, isBoundTo, makeChallenge, openChallenge } from './challenge.ts'
import { type FactorDeps, saveFactors } from './change-factors.ts'
import type { FactorReader, FactorStore } from './factor-store.ts'
import type { Factors } from './factors.ts'
import { creationOptions, verifyRegistration } from './passkey.ts'
import { PasskeyCredential } from './passkey-options.ts'
import type { PasskeySettings } from './passkey-settings.ts'
import { ShownRecoveryCodes, withRecoveryCodes } from './recovery-codes.ts'
import { PasskeyView } from './show-factors.ts'

const PASSKEYS_MAX = 10

const PasskeyName = nameLine({ max: 120 }).meta({ example: 'Phone' })

/** The browser's options for making a passkey. */
export const PasskeyCreation = z
  .object({
    challenge: z.string().meta({ example: 'mZ1kq0…' }),
    options: z
      .record(z.string(), z.unknown())
      .meta({ description: 'For `navigator.credentials.create` (`parseCreationOptionsFromJSON`)' }),
  })
  .meta({ id: 'PasskeyCreation' })

export const NewPasskey = z.object({
  challenge: ChallengeToken,
  name: PasskeyName,
  credential: PasskeyCredential,
})
export const PasskeyChange = z.object({ name: PasskeyName })

/** A passkey that was added. */
export const AddedPasskey = z
  .object({ passkey: PasskeyView, recoveryCodes: ShownRecoveryCodes })
  .meta({ id: 'AddedPasskey' })

type Deps = FactorDeps & {
  accounts: AccountStore
  factors: FactorStore
  throttle: Throttle
  hmacKeys: HmacKeys
  passkeys: PasskeySettings
}

/** Begins to add a passkey. Throws `passkey_limit_reached`. */
export async function beginPasskey(
  {
    factors,
    hmacKeys,
    passkeys: settings,
    now,
  }: Pick<Deps, 'hmacKeys' | 'passkeys' | 'now'> & {
    factors: FactorReader
  },
  caller: SignedInCaller,
): Promise<z.infer<typeof PasskeyCreation>> {
  const { passkeys } = await factors.get(caller.account.id)
  refuseTooMany(passkeys)
  const challenge = await makeChallenge({ hmacKeys, now }, 'passkey-registration', caller)
  return { challenge, options: { ...(await creationOptions(settings, challenge, caller.account, passkeys)) } }
}

/**
 * Adds a passkey. Uses up the challenge even if the credential is wrong. Throws `passkey_limit_reached`, and
 * `invalid_passkey`, which counts as a wrong proof of the session.
 */
export async function addPasskey(
  deps: Deps,
  caller: SignedInCaller,
  { challenge: token, name, credential }: z.infer<typeof NewPasskey>,
): Promise<z.infer<typeof AddedPasskey>> {
  const { factors } = deps
  // The factors are read while the attempt is counted.
  const reading = beginAhead(factors.get(caller.account.id))
  return countWrongProofs(deps, caller, async (settle) => {
    const factorsBefore = await reading
    refuseTooMany(factorsBefore.passkeys)
    const challenge = await openChallenge(deps, 'passkey-registration', token)
    if (!challenge || !isBoundTo(challenge, caller)) throw refused()
    await factors.commit([factors.spend(challenge, refused)])
    const passkey = await verifyRegistration(
      { settings: deps.passkeys, challenge: token, credential, now: deps.now() },
      { id: deps.newId('passkey'), name },
    )
    if (!passkey) throw refused()
    const [{ codes }] = await Promise.all([
      retryConflicts(async (isRetry) => {
        const account = isRetry ? await rereadBySession(deps, caller) : caller.account
        const seen = isRetry ? await factors.get(account.id) : factorsBefore
        refuseTooMany(seen.passkeys)
        // Another factor that was added or removed meanwhile voids the challenge.
        if (!isBoundTo(challenge, { ...caller, account }) || isKnown(seen, passkey.credentialId))
          throw refused()
        const added = withRecoveryCodes({ ...seen, passkeys: [...seen.passkeys, passkey] }, passkey.createdAt)
        await saveFactors(deps, account, [seen, added.next], [deps.accounts.requireSession(caller.sessionId)])
        return added
      }),
      settle(),
    ])
    return { passkey, recoveryCodes: codes }
  })
}

const refused = () => new DomainError('invalid_passkey')

/** Renames a passkey of the caller. Throws `not_found`. */
export const renamePasskey = (
  { factors }: { factors: FactorStore },
  account: Account,
  id: PasskeyId,
  { name }: z.infer<typeof PasskeyChange>,
): Promise<z.infer<typeof PasskeyView>> =>
  retryConflicts(async () => {
    const seen = await factors.get(account.id)
    const passkey = passkeyOf(seen, id)
    const renamed = { ...passkey, name }
    const passkeys = seen.passkeys.map((each) => (each.id === id ? renamed : each))
    if (name !== passkey.name) await factors.commit(factors.replace(seen, { ...seen, passkeys }))
    return renamed
  })

/** Removes a passkey of the caller; with the last factor the recovery codes go, too. Throws `not_found`. */
export const removePasskey = (deps: FactorDeps, caller: Account, id: PasskeyId): Promise<void> =>
  retryConflicts(async (isRetry) => {
    const account = isRetry ? await rereadByPassword(deps, caller) : caller
    const seen = await deps.factors.get(account.id)
    passkeyOf(seen, id)
    const passkeys = seen.passkeys.filter((each) => each.id !== id)
    const recoveryCodes = seen.totp || passkeys.length > 0 ? seen.recoveryCodes : null
    await saveFactors(deps, account, [seen, { ...seen, passkeys, recoveryCodes }])
  })

function passkeyOf({ passkeys }: Factors, id: PasskeyId) {
  const passkey = passkeys.find((each) => each.id === id)
  if (!passkey) throw new DomainError('not_found')
  return passkey
}

const isKnown = ({ passkeys }: Factors, credentialId: string): boolean =>
  passkeys.some((passkey) => passkey.credentialId === credentialId)

function refuseTooMany(passkeys: Factors['passkeys']): void {
  if (passkeys.length >= PASSKEYS_MAX) throw new DomainError('passkey_limit_reached')
}
