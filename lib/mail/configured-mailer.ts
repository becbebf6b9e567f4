import { type Dependency, dependency } from '#lib/config/config'
import { sesMailer, sesSendingRate } from './mailer.ses.ts'
import { smtpMailer } from './mailer.smtp.ts'
import type { Mailer, SendingRate } from './mailer.ts'

/** Sends mail through SES or, where `MAIL_TRANSPORT` is the address of an SMTP server, through that. */
export const mailer = dependency(
  ['STAGE', 'MAIL_TRANSPORT', 'MAIL_FROM'],
  ({ STAGE, MAIL_TRANSPORT, MAIL_FROM }): Mailer =>
    MAIL_TRANSPORT === 'ses' ? sesMailer(MAIL_FROM, STAGE) : smtpMailer(MAIL_TRANSPORT, MAIL_FROM),
)

/** An SMTP server does not say what it allows. */
const SMTP_MAILS_A_SECOND = 10

/** Returns the number of mails a second that SES or the SMTP server takes. */
export const sendingRate: Dependency<SendingRate> = {
  ...dependency(
    ['MAIL_TRANSPORT'],
    ({ MAIL_TRANSPORT }): SendingRate =>
      MAIL_TRANSPORT === 'ses' ? sesSendingRate : async () => SMTP_MAILS_A_SECOND,
  ),
  // Only SES is asked: `sendingQuota` grants that in serverless.yml.
  uses: { sendingQuota: ['get'] },
}
