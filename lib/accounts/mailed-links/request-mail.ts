import * as z from 'zod'
import { type Account, Email } from '#lib/accounts/account'
import { networkMark } from '#lib/accounts/throttle/network-address'
import { type Clock, timestamp } from '#lib/kernel/clock'
import type { NewId } from '#lib/kernel/id'
import type { LinkRequest, MailRequests } from '#lib/mail/mail-request'

export const ForgottenPassword = z.object({ email: Email })

type Deps = { mails: MailRequests; now: Clock; newId: NewId }

/** A request for a mail about an account, complete but for what it says of itself. */
export const linkRequest = (
  { now, newId }: Pick<Deps, 'now' | 'newId'>,
  request: Pick<LinkRequest, 'purpose' | 'email'> & Partial<LinkRequest>,
): LinkRequest => ({
  id: newId('mail'),
  at: timestamp(now()),
  registration: null,
  userId: null,
  sessionId: null,
  network: null,
  ...request,
})

/**
 * Asks for a password reset link. The same is done whether the address belongs to an account or not: whose it is, and
 * whether a mail may be sent, is looked up by the sender.
 */
export const requestPasswordReset = (
  deps: Deps,
  { email }: z.infer<typeof ForgottenPassword>,
  ipAddress: string,
): Promise<void> => {
  const network = networkMark(ipAddress)
  return deps.mails.commit([
    deps.mails.request(linkRequest(deps, { purpose: 'password-reset', email, network })),
  ])
}

/** Asks for a link that verifies the caller's address; one that is verified already needs none. */
export async function requestVerification(deps: Deps, account: Account, ipAddress: string): Promise<void> {
  if (account.emailVerified) return
  const { email, registration } = account
  const request = {
    purpose: 'email-verification',
    email,
    registration,
    network: networkMark(ipAddress),
  } as const
  await deps.mails.commit([deps.mails.request(linkRequest(deps, request))])
}
