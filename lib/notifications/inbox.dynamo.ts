import { onTable, type Table } from '#lib/dynamo/table'
import { secondsAfter } from '#lib/kernel/clock'
import { InboxId } from '#lib/kernel/id'
import {
  enquiryMailKey,
  inboxItemKey,
  inboxKey,
  inboxPartition,
  noticeKey,
  noticeRange,
  toldKey,
} from './inbox.keys.ts'
import { type Inbox, InboxState, NOTICE_SECONDS, Notice, oldestReadable } from './notice.ts'

/** To each side of an enquiry at most one mail in this time. */
const ENQUIRY_MAIL_SECONDS = 60 * 60
/** Longer than any event can come late. */
const CLOSED_SECONDS = 30 * 24 * 60 * 60

/** Notices in the one table. All items but the state are removed by their time to live. */
export const openInbox = (table: Table): Inbox => ({
  state: async (userId) => InboxState.parse((await table.get(inboxKey(userId))) ?? {}),
  isTold: async (userId, { id }) => (await table.get(toldKey(userId, id))) !== undefined,
  notice: async (userId, id) => {
    const item = await table.get(noticeKey(userId, id))
    return item && Notice.parse(item)
  },
  notices: async (userId, { limit, after, newerThan, now }) => {
    const { items, last } = await table.query({
      partition: inboxPartition(userId),
      between: noticeRange(newerThan),
      limit,
      descending: true,
      consistent: true,
      after: after && noticeKey(userId, after).sk,
    })
    const oldest = oldestReadable(now)
    const found = items.map((item) => Notice.parse(item))
    return {
      items: found.filter(({ event }) => event.at > oldest),
      next: last === undefined ? undefined : InboxId.parse(last.split('#')[1]),
    }
  },
  add: (notice, now) => {
    const { id, userId, event } = notice
    const expiresAtSeconds = seconds(secondsAfter(now, NOTICE_SECONDS))
    return [
      { put: { ...toldKey(userId, event.id), kind: 'told', userId, expiresAtSeconds }, when: 'absent' },
      { put: { ...noticeKey(userId, id), kind: 'notice', ...notice, expiresAtSeconds }, when: 'absent' },
      {
        update: inboxKey(userId),
        set: { kind: 'inbox', userId, closed: 0 },
        add: { unread: 1 },
        when: OPEN,
      },
    ]
  },
  claimMail: (userId, enquiry, now) => {
    const untilSeconds = seconds(secondsAfter(now, ENQUIRY_MAIL_SECONDS))
    const item = { kind: 'enquiry-mail', userId, untilSeconds, expiresAtSeconds: untilSeconds }
    return {
      put: { ...enquiryMailKey(userId, enquiry), ...item },
      when: { absentOrBelow: { attribute: 'untilSeconds', value: seconds(now) + 1 } },
    }
  },
  isMailed: async (userId, enquiry, now) => {
    const item = await table.get(enquiryMailKey(userId, enquiry))
    return item !== undefined && Number(item['untilSeconds']) > seconds(now)
  },
  markRead: (userId, seen, next) => ({
    update: inboxKey(userId),
    set: { ...next, version: seen.version + 1 },
    when: { equals: { unread: seen.unread, version: seen.version || undefined } },
  }),
  setPreferences: (userId, mail) => ({
    update: inboxKey(userId),
    set: { kind: 'inbox', userId, closed: 0, ...mail },
    when: OPEN,
  }),
  close: async (userId, now) => {
    const expiresAtSeconds = seconds(secondsAfter(now, CLOSED_SECONDS))
    await table.commit([{ put: { ...inboxKey(userId), kind: 'inbox', userId, closed: 1, expiresAtSeconds } }])
    const items = await table.queryAll({ partition: inboxPartition(userId), consistent: true })
    const others = items.map(({ sk }) => String(sk)).filter((sk) => sk !== inboxKey(userId).sk)
    await table.writeEach(others.map((sk) => ({ remove: inboxItemKey(userId, sk) })))
  },
  commit: table.commit,
})

/** The state is not there, or says that the inbox is open. */
const OPEN = { absentOrBelow: { attribute: 'closed', value: 1 } }

const seconds = (moment: Date): number => Math.floor(moment.getTime() / 1000)

/** The function's inbox. */
export const inbox = onTable(openInbox)
