import type { Mailer } from './mailer.ts'

/** Mail through an SMTP server at an `smtp://` or `smtps://` address, over a connection for each message. */
export const smtpMailer = (address: string, from: string): Mailer => ({
  send: async ({ to, subject, text, html }) => {
    const { createTransport } = await import('nodemailer')
    await createTransport(address).sendMail({ from, to: { name: '', address: to }, subject, text, html })
  },
})
