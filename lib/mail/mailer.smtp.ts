import { type Mailer, MailRefused } from './mailer.ts'

const TIMEOUT_MILLISECONDS = 5_000

/** Sends mail through an SMTP server at an `smtp://` or `smtps://` address, over a connection for each message. */
export const smtpMailer = (address: string, from: string): Mailer => ({
  send: async ({ to, headers, ...content }) => {
    const { createTransport } = await import('nodemailer')
    const transport = createTransport({
      url: address,
      connectionTimeout: TIMEOUT_MILLISECONDS,
      greetingTimeout: TIMEOUT_MILLISECONDS,
      socketTimeout: TIMEOUT_MILLISECONDS,
    })
    try {
      // An object for `to`: nodemailer would parse a text as a list of addresses.
      await transport.sendMail({ from, to: { name: '', address: to }, ...content, headers: { ...headers } })
    } catch (error) {
      throw isFinal(error) ? new MailRefused(`${error}`, { cause: error }) : error
    }
  },
})

/** RFC 5321: a reply of 500 and more is permanent, one of 400 and more is not. */
const isFinal = (error: unknown): boolean =>
  error instanceof Error &&
  'responseCode' in error &&
  typeof error.responseCode === 'number' &&
  error.responseCode >= 500
