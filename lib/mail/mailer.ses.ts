import type { SESv2Client } from '@aws-sdk/client-sesv2'
import { MAIL_TAG } from './mail-event.ts'
import { type Mailer, MailRefused } from './mailer.ts'

/** Errors that SES repeats however often it is asked. */
const FINAL = ['MessageRejected', 'BadRequestException', 'MailFromDomainNotVerifiedException']

/** The configuration set of a stage, which the stack makes: it reports what becomes of a mail. */
const configurationSetOf = (stage: string): string => `platform-api-${stage}`

/** Mail through Amazon SES, whose client is loaded with the first message. */
export function sesMailer(from: string, stage: string): Mailer {
  let client: SESv2Client | undefined
  return {
    send: async ({ to, subject, text, html, headers = {} }, id) => {
      const { SendEmailCommand, SESv2Client } = await import('@aws-sdk/client-sesv2')
      client ??= new SESv2Client({})
      const utf8 = (Data: string) => ({ Data, Charset: 'UTF-8' })
      const Headers = Object.entries(headers).map(([Name, Value]) => ({ Name, Value }))
      const Body = { Text: utf8(text), Html: utf8(html) }
      const command = new SendEmailCommand({
        FromEmailAddress: from,
        ConfigurationSetName: configurationSetOf(stage),
        ...(id && { EmailTags: [{ Name: MAIL_TAG, Value: id }] }),
        Destination: { ToAddresses: [to] },
        Content: { Simple: { Subject: utf8(subject), Body, ...(Headers.length > 0 && { Headers }) } },
      })
      try {
        await client.send(command)
      } catch (error) {
        const isFinal = error instanceof Error && FINAL.includes(error.name)
        throw isFinal ? new MailRefused(`${error}`, { cause: error }) : error
      }
    },
  }
}
