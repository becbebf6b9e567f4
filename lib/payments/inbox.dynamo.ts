import * as z from 'zod'
import { dependency } from '#lib/config'
import { openTable, type Table } from '#lib/dynamo/table'
import { DomainError } from '#lib/kernel/domain-error'
import { NotificationId } from '#lib/kernel/id'
import type { Write } from '#lib/kernel/write'
import type { Inbox } from './inbox.ts'
import { Notification } from './notification.ts'
import { notificationKey, waitingKey, waitingQuery } from './payment.keys.ts'

const Waiting = z.object({ notificationId: NotificationId })

/** As many as wait by one reference in one look: what a payment's whole life has, many times over. */
const WAITING_LIMIT = 100

/** The inbox in the one table. */
export const openInbox = (table: Table): Inbox => {
  const waitingBy = async (provider: string, reference: string) => {
    const { items } = await table.query({
      ...waitingQuery(provider, reference),
      limit: WAITING_LIMIT,
      consistent: true,
    })
    return items.map((item) => notificationKey(Waiting.parse(item).notificationId))
  }
  return {
    get: async (id) => {
      const item = await table.get(notificationKey(id))
      return item && Notification.parse(item)
    },
    insert: async (notification) => {
      const put = { ...notificationKey(notification.id), kind: 'notification', ...notification }
      try {
        await table.commit([{ put, when: 'absent' }])
        return true
      } catch (error) {
        if (error instanceof DomainError && error.code === 'version_conflict') return false
        throw error
      }
    },
    wait: async (notification) => {
      const { id, provider, references, expiresAtSeconds } = notification
      const words = references.map((reference): Write => {
        const word = { kind: 'waiting', notificationId: id, expiresAtSeconds }
        return { put: { ...waitingKey(provider, reference, id), ...word } }
      })
      // Were it closed meanwhile, the word would be of no use and no harm: whoever follows it sees the status.
      await table.commit([{ update: notificationKey(id), set: { waits: true } }, ...words])
      return { ...notification, waits: true }
    },
    waiting: async (provider, references) => {
      const keys = await Promise.all(references.map((reference) => waitingBy(provider, reference)))
      const unique = [...new Map(keys.flat().map((key) => [key.pk, key])).values()]
      const notifications: Notification[] = []
      for (let start = 0; start < unique.length; start += WAITING_LIMIT) {
        const items = await table.getMany(unique.slice(start, start + WAITING_LIMIT))
        notifications.push(...items.map((item) => Notification.parse(item)))
      }
      return notifications.filter(({ status }) => status === 'UNMATCHED')
    },
    close: ({ id, provider, references, waits }, outcome) => [
      {
        update: notificationKey(id),
        set: { ...outcome, waits: false },
        when: { equals: { status: 'UNMATCHED' } },
      },
      ...(waits ? references : []).map((reference) => ({ remove: waitingKey(provider, reference, id) })),
    ],
  }
}

/** The function's inbox. */
export const inbox = dependency(['TABLE_NAME'], ({ TABLE_NAME }) => openInbox(openTable(TABLE_NAME)))
