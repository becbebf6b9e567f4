import { type Dependency, dependency } from '#lib/config'
import { sesMailer, sesSendingRate } from './mailer.ses.ts'
import { smtpMailer } from './mailer.smtp.ts'
import type { Mailer, SendingRate } from './mailer.ts'

/** The function's way of sending mail. */
export const mailer = dependency(
  ['STAGE', 'MAIL_TRANSPORT', 'MAIL_FROM'],
  ({ STAGE, MAIL_TRANSPORT, MAIL_FROM }): Mailer =>
    MAIL_TRANSPORT === 'ses' ? sesMailer(MAIL_FROM, STAGE) : smtpMailer(MAIL_TRANSPORT, MAIL_FROM),
)

/** An SMTP server does not say what it allows. */
const SMTP_MAILS_A_SECOND = 10

/** The rate at which the function's way of sending takes mail. */
export const sendingRate: Dependency<SendingRate> = {
  ...dependency(
    ['MAIL_TRANSPORT'],
    ({ MAIL_TRANSPORT }): SendingRate =>
      MAIL_TRANSPORT === 'ses' ? sesSendingRate : async () => SMTP_MAILS_A_SECOND,
  ),
  uses: { sendingQuota: ['get'] },
}
