import type { Account, FactorSummary } from '#lib/accounts/account'
import type { Device } from '#lib/accounts/device'
import { isFamiliarNetwork } from '#lib/accounts/throttle/known-networks'
import { announce } from '#lib/events/event'
import { timestamp } from '#lib/kernel/clock'
import type { Write } from '#lib/kernel/write'
import { isDeviceOf } from './device-token.ts'
import type { Session } from './session.ts'
import type { SessionStore } from './session-store.ts'
import { answerSignIn, openSession, type SessionDeps } from './sign-in.ts'

/** The dependencies of a sign-in, once its proofs are given. */
export type StartDeps = SessionDeps & { sessions: SessionStore }

/** The proofs of a sign-in, and the changes they made. */
type SignInProof = {
  /** The methods of the proofs, by their names in RFC 8176. */
  amr: readonly string[]
  /** The summary of the account's factors after the use of one. */
  factors?: FactorSummary
  /** Whether the first step of the sign-in showed a valid device token. */
  isKnownDevice?: boolean
  also?: readonly Write[]
}

/**
 * Signs an account in on a device, after every proof that the sign-in needs. A sign-in is announced if no recent session
 * used its network and it shows no valid device token. `also` is part of the transaction. Throws `WriteConflict` if
 * the account has changed since it was read.
 */
export async function startSession(
  deps: StartDeps,
  account: Account,
  { deviceToken, ...device }: Device & { deviceToken?: string | null | undefined },
  { amr, factors = account.factors, isKnownDevice = false, also = [] }: SignInProof,
) {
  const { sessions, now } = deps
  const { session, refreshToken } = await openSession(deps, account, device, amr)
  const isKnown =
    isKnownDevice ||
    isFamiliarNetwork(account, device.ipAddress, now()) ||
    (await isDeviceOf(deps.hmacKeys, account, deviceToken, now()))
  await sessions.commit([
    ...sessions.begin(account, session, now(), factors),
    ...(isKnown ? [] : [announceSignInElsewhere(deps, account, session)]),
    ...also,
  ])
  return answerSignIn(deps, account, session, refreshToken)
}

const announceSignInElsewhere = (
  { now, newId }: SessionDeps,
  account: Account,
  { id: sessionId }: Session,
): Write =>
  announce({
    id: newId('event'),
    type: 'user.signed_in_elsewhere',
    subject: account.id,
    at: timestamp(now()),
    data: { sessionId },
  })
