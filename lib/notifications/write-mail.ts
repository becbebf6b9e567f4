import { type LinkMailDeps, linkMail } from '#lib/accounts/mailed-links/link-mail'
import type { WriteMail } from '#lib/mail/deliver-mail'
import { digestMail, type NotificationMailDeps, notificationMail } from './notification-mail.ts'

/** Makes the function that writes the mail of a request of any kind. */
export const mailWriter =
  (deps: LinkMailDeps & NotificationMailDeps): WriteMail =>
  (request, attempts) => {
    if ('purpose' in request) return linkMail(deps, request, attempts)
    return 'notificationIds' in request ? digestMail(deps, request) : notificationMail(deps, request)
  }
