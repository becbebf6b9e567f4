import { dependency } from '#lib/config'
import { sesMailer } from './mailer.ses.ts'
import { smtpMailer } from './mailer.smtp.ts'
import type { Mailer } from './mailer.ts'

/** The function's way of sending mail. */
export const mailer = dependency(
  ['STAGE', 'MAIL_TRANSPORT', 'MAIL_FROM'],
  ({ STAGE, MAIL_TRANSPORT, MAIL_FROM }): Mailer =>
    MAIL_TRANSPORT === 'ses' ? sesMailer(MAIL_FROM, STAGE) : smtpMailer(MAIL_TRANSPORT, MAIL_FROM),
)
