import { type LinkMailDeps, linkMail } from '#lib/accounts/mailed-links/link-mail'
import type { WriteMail } from '#lib/mail/deliver-mail'
import { type NoticeMailDeps, noticeMail } from './notice-mail.ts'

/** Writes each kind of mail there is. */
export const mailWriter =
  (deps: LinkMailDeps & NoticeMailDeps): WriteMail =>
  (request) =>
    'purpose' in request ? linkMail(deps, request) : noticeMail(deps, request)
