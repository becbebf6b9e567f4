import { htmlLink, htmlPage } from './html.ts'
import type { Mail } from './mailer.ts'

const SUBJECT = 'Choose a new password'
const ASKED =
  'Somebody, hopefully you, asked to choose a new password for your account. To do so, open this link:'
const LIMITS = 'It works once and for 30 minutes. A new password signs you out on every device.'
const OTHERWISE = 'If you did not ask for this, ignore this message: nothing changes.'

/** The message that carries a password reset link. Says nothing that whoever asked for it could have chosen. */
export const passwordResetMail = (link: string): Omit<Mail, 'to'> => ({
  subject: SUBJECT,
  text: `${[ASKED, link, LIMITS, OTHERWISE].join('\n\n')}\n`,
  html: htmlPage(SUBJECT, [ASKED, htmlLink(link), LIMITS, OTHERWISE]),
})
