import * as z from 'zod'
import { hashPassword, Password } from '#lib/accounts/passwords/password'
import { refuseWeakPassword } from '#lib/accounts/passwords/password-policy'
import { listedUntilSeconds } from '#lib/accounts/sessions/session'
import { openSession, type SessionDeps, signedIn } from '#lib/accounts/sessions/sign-in'
import { countAttempt, REGISTRATIONS } from '#lib/accounts/throttle/count-attempt'
import { withAddress, withBrowser } from '#lib/accounts/throttle/network-address'
import type { Throttle } from '#lib/accounts/throttle/throttle'
import { announce } from '#lib/events/event'
import { timestamp } from '#lib/kernel/clock'
import { localeFor } from '#lib/kernel/locale'
import { type Account, Email, PersonName, Phone } from './account.ts'
import type { AccountStore } from './account-store.ts'
import type { Device } from './device.ts'
import { UNDECIDED } from './kyc-state.ts'

export const Registration = z.object({
  email: Email,
  password: Password,
  name: PersonName,
  phone: Phone.nullish(),
})

type Deps = SessionDeps & { accounts: AccountStore; throttle: Throttle; passwordMinLength: number }

/**
 * Registers a user and signs them in, in one transaction: of two registrations of one address at once, one
 * wins and the other is refused. Every attempt of a network counts. Throws
 * `too_many_requests`, `weak_password` and `email_taken`.
 */
export async function register(
  deps: Deps,
  input: z.infer<typeof Registration>,
  device: Device & { acceptLanguage: string | null },
) {
  const { accounts, now, newId, passwordMinLength } = deps
  await countAttempt(deps, REGISTRATIONS, device.ipAddress)
  await refuseWeakPassword(input.password, passwordMinLength, input)
  const at = timestamp(now())
  const id = newId('user')
  const account: Account = {
    id,
    email: input.email,
    emailVerified: false,
    passwordHash: await hashPassword(input.password),
    registration: newId('registration'),
    name: input.name,
    phone: input.phone ?? null,
    locale: localeFor(device.acceptLanguage),
    status: 'ACTIVE',
    banReason: null,
    standingRevision: 0,
    sessions: {},
    knownAddresses: withAddress(id, [], device.ipAddress),
    knownBrowsers: withBrowser(id, [], device.userAgent),
    formerAddresses: [],
    agent: null,
    kyc: UNDECIDED,
    payments: 0,
    createdAt: at,
    updatedAt: at,
  }
  const { session, refreshToken } = await openSession(deps, account, device)
  await accounts.commit([
    ...accounts.insert({ ...account, sessions: { [session.id]: listedUntilSeconds(now()) } }),
    accounts.insertSession(session),
    announce({ id: newId('event'), type: 'user.registered', subject: account.id, at, data: {} }),
  ])
  return signedIn(deps, account, session, refreshToken)
}
