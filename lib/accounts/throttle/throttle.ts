import { type Account, emailKeyOf } from '#lib/accounts/account'
import type { Clock } from '#lib/kernel/clock'
import { type DomainError, tooManyRequests } from '#lib/kernel/domain-error'
import { pauseAbout } from '#lib/kernel/retry'
import { type Counted, type Counters, countedOf, secondsUntilBelow, type Tally } from './counters.ts'
import { isKnownNetwork } from './known-networks.ts'
import { networkOf } from './network-address.ts'

/**
 * The counters behind the limits of sign-ins, mails and other attempts. `networkLimitFactor` multiplies the limits of one
 * network over all accounts.
 */
export type Throttle = { counters: Counters; networkLimitFactor: number }

/** A limit as the `RateLimit-Policy` field names it. */
type Limit = Counted & { policy: string; limit: number }

/** Who tries a password: for which account, known or not, and from where. */
export type LoginAttempt = {
  email: string
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

/** The waits of a trial for other undecided trials of the same account or session: one second in all. */
export const PAUSES_MILLISECONDS = [50, 100, 200, 300, 350]

/**
 * Lets a password be tried, and counts it if it is wrong. Each trial is reserved before its decision, so that
 * simultaneous guesses stay within the limit; a right one does not count. Throws `too_many_requests` with the seconds
 * to wait. Known and unknown accounts get the same answer.
 */
export async function countFailures(
  deps: Deps,
  attempt: LoginAttempt,
  isRight: () => Promise<boolean>,
): Promise<boolean> {
  const { counters } = deps.throttle
  const { at, limits } = await reserve(deps, attempt)
  const settle = (counted: number) =>
    Promise.all(limits.map((limit) => counters.settle(limit, at, { pending: -1, counted })))
  const outcome = await isRight().catch(async (error: unknown) => {
    await settle(0)
    throw error
  })
  await settle(outcome ? 0 : 1)
  return outcome
}

/** Adds a trial to each limit as undecided. While only undecided trials exceed a limit, it waits for their decisions. */
async function reserve({ throttle, now }: Deps, attempt: LoginAttempt) {
  const { counters } = throttle
  const limits = limitsOf(attempt, throttle)
  for (let waited = 0; ; waited += 1) {
    const at = now()
    const [account, ...tallies] = await Promise.all([
      attempt.account,
      ...limits.map((limit) => counters.add(limit, at, { pending: 1 })),
    ])
    // The limits that may refuse this trial. Every limit counts it.
    const binding = limits
      .map((limit, index) => ({ limit, tally: tallies[index] ?? NOTHING }))
      .filter(({ limit }) => limit.policy !== ACCOUNT_POLICY || !isKnown(account, attempt))
    // A tally includes this trial, as undecided.
    if (binding.every(({ limit, tally }) => countedOf(tally) + tally.pending <= limit.limit))
      return { at, limits }
    await Promise.all(limits.map((limit) => counters.settle(limit, at, { pending: -1 })))
    const pause = PAUSES_MILLISECONDS[waited]
    // After the last pause undecided trials count, too, so that one of the limits refuses.
    refuseExceeded(binding, at, { withPending: pause === undefined })
    await pauseAbout(pause ?? 0)
  }
}

const NOTHING: Tally = { counted: [], pending: 0 }
const ACCOUNT_POLICY = 'login-account'

/**
 * Returns the limits of failures. In 15 minutes: 10 of one account from one network, 100 of all accounts from one
 * network. In an hour: 100 of one account.
 */
function limitsOf({ email, ipAddress }: LoginAttempt, { networkLimitFactor }: Throttle): Limit[] {
  const account = emailKeyOf(email)
  const network = networkOf(ipAddress)
  const quarterHourSeconds = 15 * 60
  return [
    {
      policy: 'login',
      limit: 10,
      windowSeconds: quarterHourSeconds,
      subject: `login\n${account}\n${network}`,
    },
    {
      policy: 'login-address',
      limit: 100 * networkLimitFactor,
      windowSeconds: quarterHourSeconds,
      subject: `login-address\n${network}`,
    },
    { policy: ACCOUNT_POLICY, limit: 100, windowSeconds: 60 * 60, subject: `login-account\n${account}` },
  ]
}

const isKnown = (account: Account | undefined, { ipAddress, isSignedIn = false }: LoginAttempt): boolean =>
  isSignedIn || (account !== undefined && isKnownNetwork(account, ipAddress))

/**
 * Refuses by the limit that holds longest, of those that the counted failures and this trial exceed. `withPending` also
 * counts the other undecided trials, which the tally includes with this one.
 */
function refuseExceeded(
  binding: { limit: Limit; tally: Tally }[],
  now: Date,
  { withPending }: { withPending: boolean },
): void {
  const [worst] = binding
    .filter(({ limit, tally }) => countedOf(tally) + (withPending ? tally.pending : 1) > limit.limit)
    .map(({ limit, tally }) => ({ limit, seconds: secondsUntilBelow(limit, tally, limit.limit, now) }))
    .sort((a, b) => b.seconds - a.seconds)
  if (worst) throw tooMany(worst.limit, worst.seconds)
}

const tooMany = (limit: Limit, seconds: number): DomainError =>
  tooManyRequests(limit, seconds, `There were too many failed sign-ins; try again in ${seconds} seconds`)
