import * as z from 'zod'
import { type Account, Email } from '#lib/accounts/account'
import { type Clock, timestamp } from '#lib/kernel/clock'
import type { NewId } from '#lib/kernel/id'
import type { MailQueue } from '#lib/mail/mail-request'

export const ForgottenPassword = z.object({ email: Email })

type Deps = { mails: Pick<MailQueue, 'request' | 'commit'>; now: Clock; newId: NewId }

/**
 * Asks for a password reset link. The very same is done whether the address is anyone's or not: who it is, and
 * whether they have had enough mail, is looked up by whoever sends.
 */
export const requestPasswordReset = (
  { mails, now, newId }: Deps,
  { email }: z.infer<typeof ForgottenPassword>,
): Promise<void> =>
  mails.commit([
    mails.request({
      id: newId('mail'),
      purpose: 'password-reset',
      email,
      registration: null,
      at: timestamp(now()),
    }),
  ])

/** Asks for a link that proves the caller's address; one that is proven already needs none. */
export async function requestVerification({ mails, now, newId }: Deps, account: Account): Promise<void> {
  if (account.emailVerified) return
  const { email, registration } = account
  const id = newId('mail')
  await mails.commit([
    mails.request({ id, purpose: 'email-verification', email, registration, at: timestamp(now()) }),
  ])
}
