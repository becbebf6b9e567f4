import { queryShards, readSortKey } from '#lib/dynamo/lists'
import { onTable, type Table } from '#lib/dynamo/table'
import {
  DAY_SECONDS,
  HOUR_SECONDS,
  secondsAfter,
  type Timestamp,
  timestamp,
  unixSeconds,
} from '#lib/kernel/clock'
import { MailId } from '#lib/kernel/id'
import type { Key, Write } from '#lib/kernel/write'
import {
  linkDueKey,
  linkDueList,
  mailAgainKey,
  mailDueKey,
  mailDueList,
  mailRequestKey,
  mailUnsentKey,
  mailUnsentList,
} from './mail-request.keys.ts'
import {
  isUnsent,
  MailProgress,
  type MailQueue,
  type MailReader,
  MailRequest,
  type QueuedMail,
} from './mail-request.ts'
import { openMailRequests } from './mail-requests.dynamo.ts'

/** The time for which a mail that could not be sent is kept for administrators. */
const UNSENT_SECONDS = 7 * DAY_SECONDS

/** The lifetime of the item of `sendAgain`. Its insertion makes the stream carry the mail to its sender again. */
const AGAIN_SECONDS = HOUR_SECONDS

/** Opens the queue in the one table. Items are removed by their time to live. */
export const openMailQueue = (table: Table): MailQueue => ({
  ...openMailRequests(table),
  get: async (id) => {
    const item = await table.get(mailRequestKey(id))
    return item && read(item)
  },
  progress: ({ request, progress: before }, { dueAt, doneAt, ...attempted }, now) => {
    const { id } = request
    const isUnsentNow = isUnsent({ ...attempted, doneAt })
    const unsentKey = mailUnsentKey(request.at, id)
    const expiresAtSeconds = unixSeconds(secondsAfter(now, UNSENT_SECONDS))
    // A moment that is null is stored as a missing attribute, as in a new request.
    const moments = { ...(dueAt && { dueAt }), ...(doneAt && { doneAt }) }
    const emptied = ['dueAt', 'doneAt'].filter((name) => !(name in moments))
    return [
      table.update(mailRequestKey(id), {
        set: {
          ...attempted,
          ...moments,
          ...(isUnsentNow && { expiresAtSeconds }),
          // A mail that bounced had been sent, and its address deleted: the address is stored again.
          ...(isUnsentNow && 'email' in request && { email: request.email }),
        },
        // The address is deleted once the mail is done.
        remove: doneAt ? [...emptied, 'email'] : emptied,
        when: {
          equals: { id, dueAt: before.dueAt ?? undefined, doneAt: before.doneAt ?? undefined },
        },
      }),
      ...moveDueEntry(table, dueKey(request, before.dueAt), dueKey(request, dueAt)),
      // The entry ends with its mail: both are written again by each attempt.
      ...(isUnsentNow ? [table.put({ ...unsentKey, kind: 'mail-unsent', expiresAtSeconds })] : []),
      ...(isUnsent(before) && !isUnsentNow ? [table.remove(unsentKey)] : []),
    ]
  },
  due: async (now, limit) => {
    const lists = await Promise.all(
      [linkDueList(), mailDueList()].map((list) => queryShards(table, list, { limit, after: undefined })),
    )
    const entries = lists.flatMap(({ items }) => items.map(({ sk }) => readSortKey(sk)))
    const due = entries.filter(({ at }) => at <= now)
    return due.map(({ at, id }) => ({ id: MailId.parse(id), dueAt: at }))
  },
  // The entry does not say which of the two lists holds it.
  removeDue: ({ id, dueAt }) => [table.remove(linkDueKey(dueAt, id)), table.remove(mailDueKey(dueAt, id))],
  unsent: async ({ limit, after }) => {
    const { items, next } = await queryShards(table, mailUnsentList(), { limit, after, descending: true })
    const ids = items.map(({ sk }) => MailId.parse(readSortKey(sk).id))
    const found = await table.getMany(ids.map(mailRequestKey))
    const mails = new Map(found.map((item) => [String(item['id']), read(item)]))
    return { items: ids.flatMap((id) => mails.get(id) ?? []), next }
  },
  sendAgain: (id, now) =>
    table.put({
      ...mailAgainKey(id),
      kind: 'mail-again',
      id,
      at: timestamp(now),
      expiresAtSeconds: unixSeconds(secondsAfter(now, AGAIN_SECONDS)),
    }),
})

const read = (item: unknown): QueuedMail => ({
  request: MailRequest.parse(item),
  progress: MailProgress.parse(item),
})

function dueKey(request: MailRequest, dueAt: Timestamp | null): Key | undefined {
  if (dueAt === null) return undefined
  // A mail with a purpose is listed with the links, which are sent first.
  return 'purpose' in request ? linkDueKey(dueAt, request.id) : mailDueKey(dueAt, request.id)
}

/** Returns the writes that move the entry of a due mail from one key to another. Undefined stands for no entry. */
function moveDueEntry(table: Table, from: Key | undefined, to: Key | undefined): Write[] {
  if (from?.pk === to?.pk && from?.sk === to?.sk) return []
  return [...(from ? [table.remove(from)] : []), ...(to ? [table.put({ ...to, kind: 'mail-due' })] : [])]
}

/** The queue of mail, as a dependency of functions. */
export const mails = onTable(openMailQueue, {
  reads: ['MAIL', 'MAIL-DUE', 'MAIL-UNSENT'],
  writes: ['MAIL', 'MAIL-DUE', 'MAIL-UNSENT'],
})

export const mailReader = onTable((table): MailReader => openMailQueue(table), {
  reads: ['MAIL', 'MAIL-DUE', 'MAIL-UNSENT'],
})
