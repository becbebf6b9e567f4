import type { SESv2Client, SESv2ClientConfig } from '@aws-sdk/client-sesv2'
import { MAIL_TAG } from './mail-event.ts'
import { type Mailer, MailRefused, type SendingRate } from './mailer.ts'

/** Errors by which SES refuses a message however often it is sent. */
const FINAL = ['MessageRejected', 'BadRequestException', 'MailFromDomainNotVerifiedException']

/** Returns the configuration set of a stage, which the stack makes: it reports what becomes of a mail. */
const configurationSetOf = (stage: string): string => `platform-api-${stage}`

/** Two attempts of a message end well within the ten seconds of a function. */
const CLIENT_SETTINGS: SESv2ClientConfig = {
  maxAttempts: 2,
  requestHandler: { connectionTimeout: 1_000, requestTimeout: 3_000, throwOnRequestTimeout: true },
}

/** Sends mail through Amazon SES, whose client is loaded with the first message. */
export function sesMailer(from: string, stage: string): Mailer {
  let client: SESv2Client | undefined
  return {
    send: async ({ to, subject, text, html, headers = {} }, id) => {
      const { SendEmailCommand, SESv2Client } = await import('@aws-sdk/client-sesv2')
      client ??= new SESv2Client(CLIENT_SETTINGS)
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

/** SES allows this to every account, one without production access included. */
const LEAST_MAILS_A_SECOND = 1

/** Reads the rate that SES allows this account in this region: the `MaxSendRate` of its quota. */
export const sesSendingRate: SendingRate = async () => {
  const { GetAccountCommand, SESv2Client } = await import('@aws-sdk/client-sesv2')
  const { SendQuota } = await new SESv2Client(CLIENT_SETTINGS).send(new GetAccountCommand({}))
  return SendQuota?.MaxSendRate ?? LEAST_MAILS_A_SECOND
}
