import * as z from 'zod'
import { type Account, Email } from '#lib/accounts/account'
import { countAttempt, countRequest, MAIL_REQUESTS } from '#lib/accounts/throttle/count-attempt'
import type { Throttle } from '#lib/accounts/throttle/throttle'
import { type Clock, timestamp } from '#lib/kernel/clock'
import type { NewId } from '#lib/kernel/id'
import type { LinkPurpose, LinkRequest, MailRequests } from '#lib/mail/mail-request'
import { countMail } from './mail-limits.ts'

export const EmailInput = z.object({ email: Email })

type Deps = { mails: MailRequests; throttle: Throttle; now: Clock; newId: NewId }

/** Makes a request for a mail about an account, with defaults for the fields left out. */
export const linkRequest = (
  { now, newId }: Pick<Deps, 'now' | 'newId'>,
  request: Pick<LinkRequest, 'purpose' | 'email'> & Partial<LinkRequest>,
): LinkRequest => ({
  id: newId('mail'),
  at: timestamp(now()),
  registration: null,
  userId: null,
  sessionId: null,
  ...request,
})

/**
 * Requests a password reset link. The work is the same for known and unknown addresses: the job that sends the mail finds
 * the account and applies the limits. Stores no request from a network over its limit.
 */
export const requestPasswordReset = (
  deps: Deps,
  { email }: z.infer<typeof EmailInput>,
  ipAddress: string,
): Promise<void> => requestByAddress(deps, 'password-reset', email, ipAddress)

/**
 * Requests a link that verifies the caller's address, unless it is verified already. Throws `too_many_requests` after five
 * mails an hour to the address, or ten requests an hour from the network.
 */
export async function requestVerification(deps: Deps, account: Account, ipAddress: string): Promise<void> {
  if (account.provenAt !== null) return
  await countAttempt(deps, MAIL_REQUESTS, ipAddress)
  const mail = await countMail(deps, 'email-verification', account.email)
  if (!mail.isAllowed) throw mail.refusal
  await deps.mails.commit([deps.mails.request(verificationRequest(deps, account))])
}

/**
 * Requests a link that verifies a typed address. The work is the same for known and unknown addresses: the job that sends
 * the mail finds the account and applies the limits.
 */
export const requestVerificationByAddress = (
  deps: Deps,
  { email }: z.infer<typeof EmailInput>,
  ipAddress: string,
): Promise<void> => requestByAddress(deps, 'email-verification', email, ipAddress)

/** Requests a link for an address that may be unknown. Stores no request from a network over its limit. */
async function requestByAddress(
  deps: Deps,
  purpose: LinkPurpose,
  email: string,
  ipAddress: string,
): Promise<void> {
  if (await countRequest(deps, MAIL_REQUESTS, ipAddress)) return
  await deps.mails.commit([deps.mails.request(linkRequest(deps, { purpose, email }))])
}

/** Returns a request for the link that verifies an account's address. */
export const verificationRequest = (
  deps: Pick<Deps, 'now' | 'newId'>,
  { email, registration }: Pick<Account, 'email' | 'registration'>,
): LinkRequest => linkRequest(deps, { purpose: 'email-verification', email, registration })
