import { spec as sendMail } from '#functions/jobs/send-mail'
import type { HttpSpec } from '#lib/http/spec'
import { MailId, type NewId, newId } from '#lib/kernel/id'
import { mailRequestKey } from '#lib/mail/mail-request.keys'
import type { Mail } from '#lib/mail/mailer'
import { type Answer, type BodyOf, type Call, call } from './call.ts'
import { changeOf, deliveredTo } from './stream.ts'
import { testTable } from './test-table.ts'

let networks = 0

/** A call, how many mails it stored, and those that were sent, as the table's stream brings it about. */
export async function mailedBy<S extends HttpSpec>(
  spec: S,
  request: Call,
  jobDeps: Record<string, unknown> = {},
): Promise<{ answer: Answer<BodyOf<S>>; mails: Mail[]; stored: number }> {
  const made: MailId[] = []
  const noted: NewId = (kind) => {
    const id = newId(kind)
    if (kind === 'mail') made.push(MailId.parse(id))
    return id
  }
  // One network may ask for a few mails only; tests ask for many.
  networks += 1
  const ipAddress = `2001:db8:${networks.toString(16)}::1`
  const answer = await call(spec, { ipAddress, ...request, deps: { ...request.deps, newId: noted } })
  const table = testTable()
  const found = await Promise.all(made.map((id) => table.get(mailRequestKey(id))))
  const items = found.filter((item) => item !== undefined)
  return {
    answer,
    mails: await mailsSentFor(items, { ...request.deps, ...jobDeps }),
    stored: items.length,
  }
}

/** What the mail job sends when the stream brings it these items. */
export async function mailsSentFor(items: object[], deps: Record<string, unknown> = {}): Promise<Mail[]> {
  const mails: Mail[] = []
  const mailer = { send: async (mail: Mail) => void mails.push(mail) }
  const changes = items.map((item) => changeOf(undefined, item))
  await deliveredTo(sendMail, changes, { mailer, ...deps })
  return mails
}

/** The token in the link of a mail. */
export const tokenIn = (mail: Mail | undefined): string => {
  const [link = ''] = /https?:\/\/\S+/.exec(mail?.text ?? '') ?? []
  return new URL(link).searchParams.get('token') ?? ''
}
