import type { Account } from '#lib/accounts/account'
import { type Clock, HOUR_SECONDS, MINUTE_SECONDS } from '#lib/kernel/clock'
import { type Counters, countedOf } from './counters.ts'
import { isKnownNetwork } from './known-networks.ts'
import { type Limit, limitsByNetwork, refusalBy } from './limits.ts'

/**
 * The counters behind the limits of sign-ins, mails and other attempts. `networkLimitFactor` multiplies the limits of one
 * network over all accounts.
 */
export type Throttle = { counters: Counters; networkLimitFactor: number }

/** Who tries a password or a passkey: for which account, known or not, and from where. */
export type LoginAttempt = {
  /** What failures are counted for: an address in the form of `emailKeyOf`, or the id of a passkey's credential. */
  identifier: string
  ipAddress: string
  /**
   * Read while the password is hashed. The account's own limit does not apply to a network that the account knows:
   * strangers' failures cannot lock its owner out.
   */
  account: Promise<Account | undefined>
  /** Set for a caller with a session: such a caller is no stranger at any address. */
  isSignedIn?: boolean
}

type Deps = { throttle: Throttle; now: Clock }

/**
 * Lets a password or a passkey be tried, and counts it: a right one for its account, and a wrong one, for which `prove`
 * returns undefined, as a failure. Each trial is reserved before its decision, so that simultaneous guesses stay within the
 * limits. Throws `too_many_requests` at once if failures and undecided trials reach one. Known and unknown accounts get the
 * same answer.
 */
export async function tryCredential<Proof extends { account: Account }>(
  deps: Deps,
  attempt: LoginAttempt,
  prove: () => Promise<Proof | undefined>,
): Promise<Proof | undefined> {
  const { counters } = deps.throttle
  const { at, limits } = await reserve(deps, attempt)
  const settle = (counted: number) =>
    Promise.all(limits.map((limit) => counters.settle(limit, at, { pending: -1, counted })))
  const proof = await prove().catch(async (error: unknown) => {
    await settle(0)
    throw error
  })
  await Promise.all([settle(proof ? 0 : 1), proof && countRight(deps, proof.account)])
  return proof
}

const RIGHT_MAX = 60

/** Counts a right password or passkey for its account. Throws `too_many_requests` beyond sixty an hour. */
async function countRight({ throttle, now }: Deps, { id }: Account): Promise<void> {
  const at = now()
  const limit = {
    policy: 'right-passwords',
    limit: RIGHT_MAX,
    windowSeconds: HOUR_SECONDS,
    subject: `right-password\n${id}`,
  }
  const tally = await throttle.counters.add(limit, at, { counted: 1 })
  const refusal = refusalBy(countedOf(tally) > RIGHT_MAX ? [{ limit, tally }] : [], at, 'sign-ins')
  if (refusal) throw refusal
}

/** Adds a trial to each limit as undecided. */
async function reserve({ throttle, now }: Deps, attempt: LoginAttempt) {
  const { counters } = throttle
  const limits = limitsOf(attempt, throttle)
  const at = now()
  const [account, ...tallies] = await Promise.all([
    attempt.account,
    ...limits.map(async (limit) => ({ limit, tally: await counters.add(limit, at, { pending: 1 }) })),
  ])
  const exceeded = tallies
    // The limits that may refuse this trial. Every limit counts it.
    .filter(({ limit }) => limit.policy !== ACCOUNT_POLICY || !isKnown(account, attempt))
    // A tally includes this trial, as undecided.
    .filter(({ limit, tally }) => countedOf(tally) + tally.pending > limit.limit)
  const refusal = refusalBy(exceeded, at, 'failed or simultaneous sign-ins')
  if (!refusal) return { at, limits }
  await Promise.all(limits.map((limit) => counters.settle(limit, at, { pending: -1 })))
  throw refusal
}

const ACCOUNT_POLICY = 'login-account'

/**
 * Returns the limits of failures. In 15 minutes: 10 of one account from one network, 100 of all accounts from one
 * network. In an hour: 100 of one account.
 */
function limitsOf({ identifier, ipAddress }: LoginAttempt, { networkLimitFactor }: Throttle): Limit[] {
  const windowSeconds = 15 * MINUTE_SECONDS
  const perAddress = { policy: 'login-address', limit: 100 * networkLimitFactor, windowSeconds }
  return [
    ...limitsByNetwork({ policy: 'login', limit: 10, windowSeconds }, ipAddress, [identifier]),
    ...limitsByNetwork(perAddress, ipAddress),
    {
      policy: ACCOUNT_POLICY,
      limit: 100,
      windowSeconds: HOUR_SECONDS,
      subject: `${ACCOUNT_POLICY}\n${identifier}`,
    },
  ]
}

const isKnown = (account: Account | undefined, { ipAddress, isSignedIn = false }: LoginAttempt): boolean =>
  isSignedIn || (account !== undefined && isKnownNetwork(account, ipAddress))
