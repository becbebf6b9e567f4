import { hmacKeys } from '#lib/config/keys'
import { timestamp } from '#lib/kernel/clock'
import { newId, UserId } from '#lib/kernel/id'
import { openMailQueue } from '#lib/mail/mail-queue.dynamo'
import { mailRequestKey } from '#lib/mail/mail-request.keys'
import { MailRefused } from '#lib/mail/mailer'
import { unsubscribeToken } from '#lib/notifications/unsubscribe'
import { aUser, consoleToken } from '#test/support/given'
import { anEvent, mailsOf, mailsOfEvent } from '#test/support/notifications'
import { testTable } from '#test/support/test-table'
import type { Visit } from './visit.ts'

/** Visits what people are notified of, and the mails that could not be sent. */
export async function visitNotifications(visit: Visit): Promise<void> {
  const { id, token } = await aUser()
  await mailsOfEvent(anEvent('user.password_changed', id, { by: 'change', apiKeysEnded: 0 }))
  const { items }: { items: { id: string }[] } = await visit('GET /notifications', { token })
  await visit('POST /notifications/read', { token, body: { upTo: items[0]?.id } })
  await visit('GET /notifications/preferences', { token })
  await visit('PUT /notifications/preferences', { token, body: { mail: { listings: false } } })
  const query = { token: await unsubscribeToken(hmacKeys.make(), UserId.parse(id), 'enquiries') }
  await visit('GET /unsubscribe', { query })
  await visit('POST /unsubscribe', { query })
  await visit('POST /notifications/unsubscribe', { query })
  const admin = { token: await consoleToken() }
  const params = { id: await anUnsentMail() }
  await visit('GET /admin/mails', admin)
  await visit('POST /admin/mails/{id}/send', { ...admin, params })
}

/** Returns the id of a mail that was refused. */
async function anUnsentMail(): Promise<string> {
  const { email } = await aUser()
  const id = newId('mail')
  const queue = openMailQueue(testTable())
  const none = { registration: null, userId: null, sessionId: null, network: null }
  const request = { id, at: timestamp(new Date()), purpose: 'password-reset', email, ...none } as const
  await queue.commit([queue.request(request)])
  const send = async () => Promise.reject(new MailRefused('550 no such user'))
  await mailsOf([(await testTable().get(mailRequestKey(id))) ?? {}], { mailer: { send } })
  return id
}
