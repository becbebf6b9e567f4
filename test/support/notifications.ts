import { spec as notifyPeople } from '#functions/jobs/notify-people'
import { spec as sendMail } from '#functions/jobs/send-mail'
import { spec as listNotifications } from '#functions/notifications/list-notifications'
import { announce } from '#lib/events/event'
import type { EventData, EventType } from '#lib/events/event-types'
import { timestamp } from '#lib/kernel/clock'
import { type EventId, MailId, type NewId, newId } from '#lib/kernel/id'
import { mailRequestKey } from '#lib/mail/mail-request.keys'
import type { Mail } from '#lib/mail/mailer'
import { call } from './call.ts'
import { changeOf, deliveredTo } from './stream.ts'
import { testTable } from './test-table.ts'

/** An event as its change of the table carries it, though nothing happened. */
export function anEvent<Type extends EventType>(
  type: Type,
  subject: string,
  data: EventData<Type>,
  { id = newId('event'), at = new Date() }: { id?: EventId; at?: Date } = {},
): object {
  const write = announce({ id, type, subject, at: timestamp(at), data } as never)
  return 'put' in write ? write.put : {}
}

/** Delivers an event, as often as is said, and returns the mails that come of it, sent or not. */
export async function mailsOfEvent(
  event: object,
  times = 1,
  deps: Record<string, unknown> = {},
): Promise<Mail[]> {
  const made: MailId[] = []
  const noted: NewId = (kind) => {
    const id = newId(kind)
    if (kind === 'mail') made.push(MailId.parse(id))
    return id
  }
  const changes = Array.from({ length: times }, () => changeOf(undefined, event))
  await deliveredTo(notifyPeople, changes, { newId: noted, ...deps })
  const table = testTable()
  const found = await Promise.all(made.map((id) => table.get(mailRequestKey(id))))
  return mailsOf(
    found.filter((item) => item !== undefined),
    deps,
  )
}

/** Delivers requests for mail and returns the mails that were sent. */
export async function mailsOf(requests: object[], deps: Record<string, unknown> = {}): Promise<Mail[]> {
  const mails: Mail[] = []
  const mailer = { send: async (mail: Mail) => void mails.push(mail) }
  await deliveredTo(
    sendMail,
    requests.map((item) => changeOf(undefined, item)),
    { mailer, ...deps },
  )
  return mails
}

/** A person's notifications as they read them. */
export async function notificationsOf(token: string, query: Record<string, string> = {}) {
  const { status, body, text } = await call(listNotifications, { token, query })
  if (status !== 200) throw new Error(text)
  return body
}
