import * as z from 'zod'
import type { Account } from '#lib/accounts/account'
import type { AccountReader } from '#lib/accounts/account-store'
import type { Device } from '#lib/accounts/device'
import {
  type Challenge,
  ChallengeToken,
  isBoundTo,
  openChallenge,
} from '#lib/accounts/second-factor/challenge'
import type { FactorStore } from '#lib/accounts/second-factor/factor-store'
import {
  factorProof,
  kindOfProof,
  mergeMethods,
  type ProofDeps,
  proveFactor,
} from '#lib/accounts/second-factor/prove-factor'
import { useFactor } from '#lib/accounts/second-factor/use-factor'
import { type Counted, countedOf } from '#lib/accounts/throttle/counters'
import { type Limit, refusalBy } from '#lib/accounts/throttle/limits'
import type { Throttle } from '#lib/accounts/throttle/throttle'
import { announce } from '#lib/events/event'
import { DAY_SECONDS, HOUR_SECONDS, timestamp } from '#lib/kernel/clock'
import { DomainError } from '#lib/kernel/domain-error'
import { retryConflicts } from '#lib/kernel/retry'
import { type StartDeps, startSession } from './start-session.ts'

/** The second step of a sign-in: the challenge of the first, and one proof. */
export const SecondStep = z
  .object({ challenge: ChallengeToken, ...factorProof })
  .refine(({ code, credential }) => (code === undefined) !== (credential === undefined), {
    path: ['code'],
    message: 'must be given, or `credential`, and not both',
  })
  .meta({ example: { challenge: 'mZ1k…', code: '492039' } })

type Deps = StartDeps &
  ProofDeps & {
    accounts: AccountReader
    factors: FactorStore
    throttle: Throttle
  }

/** The number of wrong answers that voids a challenge. */
const WRONG_MAX = 5

/** The number of wrong six-digit codes in an hour of which the person is notified. Further ones are refused. */
const WRONG_CODES_MAX = 10

/** The limits on wrong six-digit codes of one account. Passkeys and recovery codes are accepted even then. */
const LIMITS = [
  { policy: 'second-factor', limit: WRONG_CODES_MAX, windowSeconds: HOUR_SECONDS },
  { policy: 'second-factor-day', limit: 30, windowSeconds: DAY_SECONDS },
]

/**
 * Signs a user in who has proven the password, by a second factor. Throws `invalid_second_factor` for a wrong or used
 * code and for an unknown, used, void or expired challenge. Throws `too_many_requests` for six digits after ten wrong
 * ones in an hour. The person is notified of the tenth.
 */
export async function signInWithFactor(deps: Deps, step: z.infer<typeof SecondStep>, device: Device) {
  const challenge = await openChallenge(deps, 'sign-in', step.challenge)
  const account = challenge?.userId ? await deps.accounts.get(challenge.userId) : undefined
  if (!challenge || !account || !isOpenTo(account, challenge)) throw refused()
  const trial = await beginTrial(deps, step, account)
  try {
    const signedIn = await retryConflicts(async (isRetry) =>
      prove(deps, step, challenge, isRetry ? await deps.accounts.get(account.id) : account, device),
    )
    await trial.takeBack()
    return signedIn
  } catch (error) {
    if (error instanceof DomainError && error.code === 'invalid_second_factor') await trial.reportWrong()
    else await trial.takeBack()
    throw error
  }
}

const isOpenTo = (account: Account, challenge: Challenge): boolean =>
  account.status === 'ACTIVE' && isBoundTo(challenge, { account })

async function prove(
  deps: Deps,
  step: z.infer<typeof SecondStep>,
  challenge: Challenge,
  account: Account | undefined,
  device: Device,
) {
  // Read again: the password, a factor or the status may have changed while the answer was checked.
  if (!account || !isOpenTo(account, challenge)) throw refused()
  const seen = await deps.factors.get(account.id)
  const factor = await proveFactor(deps, seen, step, deps.now())
  if (!factor) throw refused()
  const { summary, writes } = useFactor(deps, account, seen, factor)
  return startSession(deps, account, device, {
    amr: mergeMethods(['pwd'], factor.amr),
    factors: summary,
    isKnownDevice: challenge.isKnownDevice,
    also: [...writes, deps.factors.spend(challenge, refused)],
  })
}

/**
 * Counts an answer as wrong before it is checked, so that simultaneous answers stay within the limits. The caller takes
 * the count of a right or unchecked answer back, and reports a wrong one; the tenth is announced.
 */
async function beginTrial(deps: Deps, step: z.infer<typeof SecondStep>, account: Account) {
  const { counters } = deps.throttle
  const at = deps.now()
  const ofChallenge: Counted = { subject: `challenge\n${step.challenge}`, windowSeconds: HOUR_SECONDS }
  const ofAccount = kindOfProof(step) === 'totp' ? limitsOf(account) : []
  const all = [ofChallenge, ...ofAccount]
  const takeBack = () => Promise.all(all.map((each) => counters.settle(each, at, { counted: -1 })))
  const [challengeTally, ...codeTallies] = await Promise.all([
    counters.add(ofChallenge, at, { counted: 1 }),
    ...ofAccount.map(async (limit) => ({ limit, tally: await counters.add(limit, at, { counted: 1 }) })),
  ])
  const exceeded = codeTallies.filter(({ limit, tally }) => countedOf(tally) > limit.limit)
  const refusal = countedOf(challengeTally) > WRONG_MAX ? refused() : refusalBy(exceeded, at, 'wrong codes')
  if (refusal) {
    await takeBack()
    throw refusal
  }
  const [hourTally] = codeTallies
  const isTenth = hourTally !== undefined && countedOf(hourTally.tally) === WRONG_CODES_MAX
  return {
    takeBack,
    reportWrong: async () => {
      if (isTenth) await deps.sessions.commit([refusedEvent(deps, account)])
    },
  }
}

const limitsOf = (account: Account): Limit[] =>
  LIMITS.map((limit) => ({ ...limit, subject: `${limit.policy}\n${account.id}` }))

const refusedEvent = ({ newId, now }: Deps, { id: subject }: Account) =>
  announce({
    id: newId('event'),
    type: 'user.second_factor_refused',
    subject,
    at: timestamp(now()),
    data: {},
  })

const refused = () => new DomainError('invalid_second_factor')
