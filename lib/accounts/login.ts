import * as z from 'zod'
import { DomainError } from '#lib/kernel/domain-error'
import { Email } from './account.ts'
import type { AccountStore } from './account-store.ts'
import { verifyPassword } from './password.ts'
import { Password } from './register.ts'
import { type Device, openSession, type SessionDeps, sessionsToEnd, signedIn } from './sign-in.ts'

export const Credentials = z.object({ email: Email, password: Password })

type Deps = SessionDeps & { accounts: AccountStore }

/**
 * Signs a user in on a new device. A wrong password and an unknown address are one answer,
 * `invalid_credentials`, in the same time; only the right password learns of a ban (`account_banned`).
 */
export async function login(deps: Deps, { email, password }: z.infer<typeof Credentials>, device: Device) {
  const { accounts, now } = deps
  const account = await accounts.byEmail(email)
  const isRight = await verifyPassword(password, account?.passwordHash)
  if (!account || !isRight) throw new DomainError('invalid_credentials')
  if (account.status === 'BANNED') throw new DomainError('account_banned')
  const { session, refreshToken } = await openSession(deps, account, device)
  await accounts.commit(accounts.addSession(account, session, sessionsToEnd(account, now())))
  return signedIn(deps, account, session, refreshToken)
}
