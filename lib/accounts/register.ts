import * as z from 'zod'
import { countMail, isMailAllowed } from '#lib/accounts/mailed-links/mail-limits'
import { verificationRequest } from '#lib/accounts/mailed-links/request-mail'
import { type HashPassword, NewPassword } from '#lib/accounts/passwords/password'
import { refuseWeakPassword } from '#lib/accounts/passwords/password-policy'
import type { PasswordStore } from '#lib/accounts/passwords/password-store'
import { listedUntilSeconds } from '#lib/accounts/sessions/session'
import { answerSignIn, openSession, type SessionDeps } from '#lib/accounts/sessions/sign-in'
import { countAttempt, REGISTRATIONS } from '#lib/accounts/throttle/count-attempt'
import { withNetwork } from '#lib/accounts/throttle/known-networks'
import type { Throttle } from '#lib/accounts/throttle/throttle'
import { announce } from '#lib/events/event'
import { timestamp } from '#lib/kernel/clock'
import { localeFor } from '#lib/kernel/locale'
import type { MailRequests } from '#lib/mail/mail-request'
import { type Account, Email, NO_FACTORS, PersonName, Phone } from './account.ts'
import type { AccountStore } from './account-store.ts'
import type { Device } from './device.ts'
import { UNDECIDED } from './kyc-state.ts'

export const Registration = z.object({
  email: Email,
  password: NewPassword,
  name: PersonName,
  phone: Phone.nullish(),
})

type Deps = SessionDeps & {
  accounts: AccountStore
  passwords: PasswordStore
  mails: MailRequests
  throttle: Throttle
  passwordMinLength: number
  hashPassword: HashPassword
}

/**
 * Registers a user and signs them in, in one transaction: of two simultaneous registrations of one address, one
 * succeeds and the other is refused. A link that verifies the address is mailed. Every attempt counts against its network.
 * Throws `too_many_requests`, `weak_password` and `email_taken`.
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
    version: 1,
    email: input.email,
    provenAt: null,
    takenBackAt: null,
    passwordRevision: 0,
    registration: newId('registration'),
    name: input.name,
    phone: input.phone ?? null,
    locale: localeFor(device.acceptLanguage),
    status: 'ACTIVE',
    banReason: null,
    bannedAt: null,
    eligibilityRevision: 0,
    sessions: {},
    knownNetworks: withNetwork({ id, knownNetworks: {} }, device.ipAddress, now()),
    deviceRevision: 0,
    formerAddresses: [],
    emailChangeId: null,
    emailChangesAt: [],
    agent: null,
    listingLimits: null,
    kyc: UNDECIDED,
    factors: NO_FACTORS,
    apiKeys: {},
    createdAt: at,
    updatedAt: at,
  }
  const hash = await deps.hashPassword(input.password)
  const isMailed = await isMailAllowed(deps, 'email-verification', account.email)
  const { session, refreshToken } = await openSession(deps, account, device)
  await accounts.commit([
    ...accounts.insert({ ...account, sessions: { [session.id]: listedUntilSeconds(at, now()) } }),
    deps.passwords.put({ userId: id, hash, revision: account.passwordRevision }),
    accounts.insertSession(session),
    announce({ id: newId('event'), type: 'user.registered', subject: account.id, at, data: {} }),
    ...(isMailed ? [deps.mails.request(verificationRequest(deps, account))] : []),
  ])
  // Only now, so that a refused registration uses up no mail of the address's owner.
  if (isMailed) await countMail(deps, 'email-verification', account.email)
  return answerSignIn(deps, account, session, refreshToken)
}
