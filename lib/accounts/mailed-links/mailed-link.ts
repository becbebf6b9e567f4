import * as z from 'zod'
import { type Account, emailKeyOf } from '#lib/accounts/account'
import {
  type Clock,
  DAY_SECONDS,
  HOUR_SECONDS,
  MINUTE_SECONDS,
  secondsAfter,
  unixSeconds,
} from '#lib/kernel/clock'
import { DomainError } from '#lib/kernel/domain-error'
import { MailId, RegistrationId, SessionId, UserId } from '#lib/kernel/id'
import { type HmacKeys, readToken, signToken } from '#lib/kernel/signed-token'
import type { Commit, Write } from '#lib/kernel/write'
import { LinkPurpose } from '#lib/mail/mail-request'

/** A token as a client shows it. */
export const LinkToken = z.string().min(1).max(500).meta({ example: 'mZ1kq0…' })

export const LinkProof = z.object({ token: LinkToken })

/**
 * A link that was mailed, and the state of the account at that time. The token is derived from the link and is not
 * stored.
 */
export const MailedLink = z.object({
  /** The id of the mail that contains the link. */
  id: MailId,
  purpose: LinkPurpose,
  userId: UserId,
  /** The account's registration when the link was mailed. Once the account has another, only an undo link works. */
  registration: RegistrationId,
  /** The password's revision when the link was mailed. A later password voids a reset and a change of address. */
  passwordRevision: z.int(),
  /** The account's address when the link was mailed. After a change of it only an undo link works. */
  accountEmail: z.string(),
  /** The address that the link was mailed to. */
  sentTo: z.string(),
  /** The session that asked for a change of address. */
  sessionId: SessionId.nullable(),
  expiresAtSeconds: z.int(),
})
export type MailedLink = z.infer<typeof MailedLink>

/** Where mailed links are kept until they are used or expire. */
export type MailedLinks = {
  get: (id: MailId) => Promise<MailedLink | undefined>
  insert: (link: MailedLink) => Write
  /** Uses a link up: of many uses of one link, one succeeds and the others are `invalid_token`. */
  use: (link: MailedLink) => Write
  /** Removes the links of a deleted account, because some hold an address. Safe to repeat. */
  removeAll: (userId: UserId) => Promise<void>
  commit: Commit
}

export const LIFETIME_SECONDS: Record<LinkPurpose, number> = {
  'password-reset': 30 * MINUTE_SECONDS,
  'email-verification': DAY_SECONDS,
  'email-change': DAY_SECONDS,
  'email-undo': 72 * HOUR_SECONDS,
}

/** The fields of a link that changes an address or undoes a change. */
type ChangeFields = Partial<Pick<MailedLink, 'sentTo' | 'sessionId'>>

/** Makes a link of an account, without storing it. */
export const newLink = (
  id: MailId,
  purpose: LinkPurpose,
  account: Account,
  now: Date,
  { sentTo = account.email, sessionId = null }: ChangeFields = {},
): MailedLink => ({
  id,
  purpose,
  userId: account.id,
  registration: account.registration,
  passwordRevision: account.passwordRevision,
  accountEmail: account.email,
  sentTo,
  sessionId,
  expiresAtSeconds: unixSeconds(secondsAfter(now, LIFETIME_SECONDS[purpose])),
})

/** Returns the token of a link, which only the receiver of the mail has. */
export const linkToken = (key: Buffer, { id, purpose }: MailedLink): string => signToken(key, purpose, id)

type LinkDeps = { mailedLinks: MailedLinkReader; hmacKeys: HmacKeys; now: Clock }
type AccountDeps = { accounts: { get: (id: UserId) => Promise<Account | undefined> } }

/** Returns a token's link and the link's account. Throws `invalid_token`, see `readLink` and `linkedAccount`. */
export async function openLink(deps: LinkDeps & AccountDeps, purpose: LinkPurpose, token: string) {
  const link = await readLink(deps, purpose, token)
  return { link, account: await linkedAccount(deps, link) }
}

/** Returns a token's link. Throws `invalid_token` if the link is unknown, used, expired or for another purpose. */
export async function readLink(
  { mailedLinks, hmacKeys, now }: LinkDeps,
  purpose: LinkPurpose,
  token: string,
): Promise<MailedLink> {
  const id = MailId.safeParse(readToken(await hmacKeys(), purpose, token))
  const link = id.success ? await mailedLinks.get(id.data) : undefined
  const isLive = link?.purpose === purpose && link.expiresAtSeconds * 1000 > now().getTime()
  if (!link || !isLive) throw new DomainError('invalid_token')
  return link
}

/**
 * Returns the account of a link. Throws `invalid_token` once the account is deleted or has another address or registration;
 * the last two do not void an undo link.
 */
export async function linkedAccount({ accounts }: AccountDeps, link: MailedLink): Promise<Account> {
  const account = await accounts.get(link.userId)
  // An undo link works whatever somebody with the new address has done to the account since.
  if (!account || (link.purpose !== 'email-undo' && !isAccountUnchanged(link, account))) {
    throw new DomainError('invalid_token')
  }
  return account
}

const isAccountUnchanged = (link: MailedLink, { registration, email, emailChangesAt }: Account): boolean =>
  link.registration === registration &&
  emailKeyOf(link.accountEmail) === emailKeyOf(email) &&
  // The account may have returned to the address: the change away from it voided the link.
  emailChangesAt.every((changedAt) => changedAt <= link.expiresAtSeconds - LIFETIME_SECONDS[link.purpose])

/** Whether a link is of the newest requested change of address, and the requesting session is still live. */
export const isChangeRequested = (
  { id, sessionId }: Pick<MailedLink, 'id' | 'sessionId'>,
  { emailChangeId, sessions }: Account,
  now: Date,
): boolean => id === emailChangeId && sessionId !== null && (sessions[sessionId] ?? 0) * 1000 > now.getTime()

/** Whether the account still has the password of the time when a link was mailed. A reset and a change of address need it. */
export const isPasswordUnchanged = (link: MailedLink, account: Account): boolean =>
  link.passwordRevision === account.passwordRevision

export type MailedLinkReader = Pick<MailedLinks, 'get'>
