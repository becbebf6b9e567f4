import { dependency } from '#lib/config'
import { sesMailer } from './mailer.ses.ts'
import { smtpMailer } from './mailer.smtp.ts'
import type { Mailer } from './mailer.ts'

/** The function's way of sending mail. */
export const mailer = dependency(
  ['MAIL_TRANSPORT', 'MAIL_FROM'],
  ({ MAIL_TRANSPORT, MAIL_FROM }): Mailer =>
    MAIL_TRANSPORT === 'ses' ? sesMailer(MAIL_FROM) : smtpMailer(MAIL_TRANSPORT, MAIL_FROM),
)
