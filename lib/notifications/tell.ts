import type { DomainEvent } from '#lib/events/event'
import { type Clock, timestamp } from '#lib/kernel/clock'
import { EnquiryId, type NewId, type UserId } from '#lib/kernel/id'
import { retryConflicts } from '#lib/kernel/retry'
import type { Write } from '#lib/kernel/write'
import type { MailRequests } from '#lib/mail/mail-request'
import type { Inbox } from './notice.ts'
import { type Concerned, type Mailed, TOLD } from './told.ts'
import type { NoticeName } from './words/words.ts'

type Deps = {
  inbox: Inbox
  mails: Pick<MailRequests, 'request'>
  concerned: Concerned
  now: Clock
  newId: NewId
}

type Telling = { userId: UserId; name: NoticeName; mailed: Mailed }

/**
 * Notifies everyone whom an event concerns, see `TOLD`. Repeated calls for one event leave one notice and one mail
 * for each person. Preferences and words are read when the mail is sent.
 */
export async function tellOf(deps: Deps, event: DomainEvent): Promise<{ told: number }> {
  const tellings = new Map<UserId, Telling>()
  for (const { event: type, notice: name, mailed, whom } of TOLD) {
    if (type !== event.type) continue
    for (const userId of await whom(event, deps.concerned)) {
      if (userId !== null && !tellings.has(userId)) tellings.set(userId, { userId, name, mailed })
    }
  }
  for (const telling of tellings.values()) await tell(deps, event, telling)
  return { told: tellings.size }
}

const tell = ({ inbox, mails, now, newId }: Deps, event: DomainEvent, { userId, name, mailed }: Telling) =>
  retryConflicts(async () => {
    const { closed } = await inbox.state(userId)
    if (closed > 0 || (await inbox.isTold(userId, event))) return
    const notice = { id: newId('inbox'), userId, name, event }
    const hourly = await enquiryMail(inbox, event, userId, mailed, now())
    const isMailed = mailed !== 'never' && hourly !== 'sent'
    const request = { id: newId('mail'), at: timestamp(now()), userId, noticeId: notice.id, name }
    await inbox.commit([
      ...inbox.add(notice, now()),
      ...(isMailed ? [mails.request(request)] : []),
      ...(hourly === 'sent' ? [] : hourly),
    ])
  })

/** To each side of an enquiry goes at most one mail an hour: the write that claims it, or that it was sent. */
async function enquiryMail(
  inbox: Inbox,
  { subject }: DomainEvent,
  userId: UserId,
  mailed: Mailed,
  now: Date,
): Promise<Write[] | 'sent'> {
  const enquiry = EnquiryId.safeParse(subject)
  if (mailed !== 'enquiries' || !enquiry.success) return []
  if (await inbox.isMailed(userId, enquiry.data, now)) return 'sent'
  return [inbox.claimMail(userId, enquiry.data, now)]
}
