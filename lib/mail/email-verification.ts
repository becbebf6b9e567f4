import { htmlLink, htmlPage } from './html.ts'
import type { Mail } from './mailer.ts'

const SUBJECT = 'Confirm your e-mail address'
const ASKED =
  'An account was registered with this e-mail address. If it is yours, confirm it by opening this link:'
const LIMITS = 'It works once and for 24 hours.'
const OTHERWISE =
  'If you did not register, do not open it. You can take the address back by asking for a new password.'

/** The message that carries an e-mail verification link. Says nothing that whoever registered could have chosen. */
export const emailVerificationMail = (link: string): Omit<Mail, 'to'> => ({
  subject: SUBJECT,
  text: `${[ASKED, link, LIMITS, OTHERWISE].join('\n\n')}\n`,
  html: htmlPage(SUBJECT, [ASKED, htmlLink(link), LIMITS, OTHERWISE]),
})
