import * as z from 'zod'
import { type Account, FactorMethod, hasSecondFactor, stepUpMethods } from '#lib/accounts/account'
import type { AccountStore } from '#lib/accounts/account-store'
import { Password } from '#lib/accounts/passwords/password'
import type { PasswordReader } from '#lib/accounts/passwords/password-store'
import { proveOwnPassword } from '#lib/accounts/passwords/prove-own-password'
import { rereadByPassword, type SignedInCaller } from '#lib/accounts/reread-caller'
import {
  ChallengeToken,
  isBoundTo,
  makeChallenge,
  openChallenge,
  webauthnChallenge,
} from '#lib/accounts/second-factor/challenge'
import type { FactorReader, FactorStore } from '#lib/accounts/second-factor/factor-store'
import { PasskeyRequestOptions, requestOptions } from '#lib/accounts/second-factor/passkey-options'
import {
  factorProof,
  kindOfProof,
  mergeMethods,
  type ProofDeps,
  proveFactor,
} from '#lib/accounts/second-factor/prove-factor'
import { useFactor } from '#lib/accounts/second-factor/use-factor'
import { countWrongProofs } from '#lib/accounts/throttle/count-wrong-proofs'
import type { Throttle } from '#lib/accounts/throttle/throttle'
import { timestamp, unixSeconds } from '#lib/kernel/clock'
import { DomainError, invalidField } from '#lib/kernel/domain-error'
import { retryConflicts } from '#lib/kernel/retry'
import type { Write } from '#lib/kernel/write'
import type { Session } from './session.ts'
import type { SessionStore } from './session-store.ts'
import type { SessionDeps } from './sign-in.ts'
import { ACCESS_TOKEN_SECONDS } from './token-issuer.ts'

/** The caller's ways of proving their identity again. */
export const StepUpOptions = z
  .object({
    methods: z.array(z.enum(['password', ...FactorMethod.options])),
    challenge: z.string().nullable().meta({
      description: 'For a passkey; null without a second factor',
      example: 'mZ1kq0…',
    }),
    passkeyOptions: PasskeyRequestOptions.nullable(),
  })
  .meta({ id: 'StepUpOptions' })

/** One proof: the password, a code, or a passkey with its challenge. */
export const StepUp = z
  .object({
    password: Password.optional(),
    challenge: ChallengeToken.optional(),
    ...factorProof,
  })
  .refine(({ password, code, credential }) => count(password, code, credential) === 1, {
    path: ['code'],
    message: 'must be given, or `password`, or `credential`, and only one of them',
  })
  .refine(({ credential, challenge }) => credential === undefined || challenge !== undefined, {
    path: ['challenge'],
    message: 'must be given with `credential`',
  })
  .meta({ example: { code: '492039' } })

const count = (...values: unknown[]): number => values.filter((value) => value !== undefined).length

/** The access token after a step-up. */
export const SteppedUp = z
  .object({
    accessToken: z.string().meta({ example: 'eyJhbGciOiJFZERTQSIsInR5cCI6ImF0K2p3dCJ9…' }),
    expiresIn: z.int().meta({ example: 600 }),
  })
  .meta({ id: 'SteppedUp' })

type Deps = SessionDeps &
  ProofDeps & {
    accounts: AccountStore
    passwords: PasswordReader
    sessions: SessionStore
    factors: FactorStore
    throttle: Throttle
  }

/** Returns how the caller may step up. */
export async function beginStepUp(
  deps: Pick<Deps, 'hmacKeys' | 'passkeys' | 'now'> & { factors: FactorReader },
  caller: SignedInCaller,
): Promise<z.infer<typeof StepUpOptions>> {
  const { account } = caller
  const methods = stepUpMethods(account)
  if (!hasSecondFactor(account)) return { methods, challenge: null, passkeyOptions: null }
  const challenge = await makeChallenge(deps, 'step-up', caller)
  const { passkeys } = await deps.factors.get(account.id)
  const options = requestOptions(deps.passkeys.rpId, webauthnChallenge(challenge), passkeys)
  return { methods, challenge, passkeyOptions: passkeys.length > 0 ? options : null }
}

/**
 * Proves once more who the caller is: by the password or, where there is a second factor, by that. Throws
 * `invalid_credentials`, `invalid_second_factor`, and `validation_failed` for a proof that is none of the methods.
 */
export async function stepUp(
  deps: Deps,
  caller: SignedInCaller,
  proof: z.infer<typeof StepUp>,
  ipAddress: string,
): Promise<z.infer<typeof SteppedUp>> {
  refuseOtherMethods(caller.account, proof)
  if (proof.password !== undefined) {
    await proveOwnPassword(deps, caller, proof.password, ipAddress)
    return retryConflicts(async (isRetry) => {
      const account = isRetry ? await rereadByPassword(deps, caller.account) : caller.account
      // With a factor that was added meanwhile, the password no longer steps up.
      refuseOtherMethods(account, proof)
      return renew(deps, { ...caller, account }, ['pwd'], (session) =>
        deps.sessions.commit([session, deps.accounts.requireUnchanged(account)]),
      )
    })
  }
  return countWrongProofs(deps, caller, () =>
    retryConflicts(async (isRetry) => {
      const account = isRetry ? await rereadByPassword(deps, caller.account) : caller.account
      return proveWithFactor(deps, { ...caller, account }, proof)
    }),
  )
}

/** The field of `StepUp` that holds the proof of each method. */
const FIELDS = { password: 'password', passkey: 'credential', totp: 'code', recovery_code: 'code' } as const

function refuseOtherMethods(account: Account, proof: z.infer<typeof StepUp>): void {
  const method = proof.password === undefined ? kindOfProof(proof) : 'password'
  const methods = stepUpMethods(account)
  if (methods.includes(method)) return
  throw invalidField(FIELDS[method], `cannot step up here; ${methods.join(' or ')} can`)
}

async function proveWithFactor(deps: Deps, caller: SignedInCaller, proof: z.infer<typeof StepUp>) {
  const { account } = caller
  const seen = await deps.factors.get(account.id)
  const { code, credential, challenge: token } = proof
  const opened = token === undefined ? undefined : await openChallenge(deps, 'step-up', token)
  const challenge = opened && isBoundTo(opened, caller) ? opened : undefined
  // A passkey answers a challenge; a code needs none.
  const isAnswerable = credential === undefined || challenge !== undefined
  const factor = isAnswerable
    ? await proveFactor(deps, seen, { code, credential, challenge: token }, deps.now())
    : undefined
  if (!factor) throw refused()
  const { summary, writes } = useFactor(deps, account, seen, factor)
  const spent = challenge ? [deps.factors.spend(challenge, refused)] : []
  return renew(deps, caller, factor.amr, (session) =>
    deps.accounts.save(account, { ...account, factors: summary }, [session, ...writes, ...spent]),
  )
}

/** Stores the proof with the session, and returns a token that carries it. */
async function renew(
  deps: Deps,
  { account, sessionId }: SignedInCaller,
  amr: readonly string[],
  store: (session: Write) => Promise<void>,
): Promise<z.infer<typeof SteppedUp>> {
  const { sessions, now, issueAccessToken } = deps
  const seen = await sessions.get(sessionId)
  if (!seen) throw new DomainError('unauthenticated')
  const next: Session = {
    ...seen,
    authTimeSeconds: unixSeconds(now()),
    amr: mergeMethods(seen.amr, amr),
    factorsRevision: account.factors.revision,
    steppedUpAt: timestamp(now()),
  }
  await store(sessions.replace(seen, next))
  return { accessToken: await issueAccessToken(account, next), expiresIn: ACCESS_TOKEN_SECONDS }
}

const refused = () => new DomainError('invalid_second_factor')
