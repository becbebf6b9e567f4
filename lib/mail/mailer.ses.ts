import type { SESv2Client } from '@aws-sdk/client-sesv2'
import type { Mailer } from './mailer.ts'

/** Mail through Amazon SES, whose client is loaded with the first message. */
export function sesMailer(from: string): Mailer {
  let client: SESv2Client | undefined
  return {
    send: async ({ to, subject, text, html }) => {
      const { SendEmailCommand, SESv2Client } = await import('@aws-sdk/client-sesv2')
      client ??= new SESv2Client({})
      const utf8 = (Data: string) => ({ Data, Charset: 'UTF-8' })
      await client.send(
        new SendEmailCommand({
          FromEmailAddress: from,
          Destination: { ToAddresses: [to] },
          Content: { Simple: { Subject: utf8(subject), Body: { Text: utf8(text), Html: utf8(html) } } },
        }),
      )
    },
  }
}
