import * as z from 'zod'
import { type Account, Email } from '#lib/accounts/account'
import type { AccountStore } from '#lib/accounts/account-store'
import type { Device } from '#lib/accounts/device'
import { Password } from '#lib/accounts/passwords/password'
import { provePassword } from '#lib/accounts/passwords/prove-password'
import { addressMark, browserMark, withAddress, withBrowser } from '#lib/accounts/throttle/network-address'
import type { Throttle } from '#lib/accounts/throttle/throttle'
import { announce } from '#lib/events/event'
import { timestamp } from '#lib/kernel/clock'
import { DomainError } from '#lib/kernel/domain-error'
import { retryConflicts } from '#lib/kernel/retry'
import type { Write } from '#lib/kernel/write'
import type { Session } from './session.ts'
import { openSession, type SessionDeps, signedIn, withSession } from './sign-in.ts'

export const Credentials = z.object({ email: Email, password: Password })

type Deps = SessionDeps & { accounts: AccountStore; throttle: Throttle }

/**
 * Signs a user in on a new device. A wrong password and an unknown address are one answer,
 * `invalid_credentials`, in the same time; only the right password learns of a ban (`account_banned`).
 * Failures are counted, and too many throw `too_many_requests`.
 */
export async function login(deps: Deps, { email, password }: z.infer<typeof Credentials>, device: Device) {
  const { accounts } = deps
  const { ipAddress } = device
  const proven = await provePassword(deps, { email, ipAddress, account: accounts.byEmail(email) }, password)
  return retryConflicts(async (isRetry) => {
    const account = isRetry ? await accounts.get(proven.id) : proven
    // The password that was proven may have been replaced meanwhile.
    if (account?.passwordHash !== proven.passwordHash) throw new DomainError('invalid_credentials')
    if (account.status === 'BANNED') throw new DomainError('account_banned')
    return signIn(deps, account, device)
  })
}

async function signIn(deps: Deps, account: Account, device: Device) {
  const { accounts, now } = deps
  const { session, refreshToken } = await openSession(deps, account, device)
  const knownAddresses = withAddress(account.id, account.knownAddresses, device.ipAddress)
  const knownBrowsers = withBrowser(account.id, account.knownBrowsers, device.userAgent)
  const sessions = withSession(account, session, now())
  // The sessions as read: many sign-ins at once would otherwise each end the same one and exceed fifty together.
  const seen = ['status', 'passwordHash', 'sessions'] as const
  const next = { ...account, knownAddresses, knownBrowsers, sessions }
  await accounts.save(account, next, seen, [
    accounts.insertSession(session),
    ...(isStrange(account, device) ? [elsewhere(deps, account, session)] : []),
  ])
  return signedIn(deps, account, session, refreshToken)
}

/** Whether neither the network nor the browser was seen in a sign-in before. */
const isStrange = (
  { id, knownAddresses, knownBrowsers }: Account,
  { ipAddress, userAgent }: Device,
): boolean =>
  !knownAddresses.includes(addressMark(id, ipAddress)) &&
  (userAgent === null || !knownBrowsers.includes(browserMark(id, userAgent)))

const elsewhere = ({ now, newId }: Deps, account: Account, { id: sessionId }: Session): Write =>
  announce({
    id: newId('event'),
    type: 'user.signed_in_elsewhere',
    subject: account.id,
    at: timestamp(now()),
    data: { sessionId },
  })
