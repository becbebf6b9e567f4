import { beforeEach, describe, expect, it } from 'vitest'
import { spec as changeProfile } from '#functions/accounts/change-profile'
import { spec as notifyPeople } from '#functions/jobs/notify-people'
import { spec as setKycStatus } from '#functions/kyc/set-kyc-status'
import { spec as getPreferences } from '#functions/notifications/get-preferences'
import { spec as listNotifications } from '#functions/notifications/list-notifications'
import { spec as putPreferences } from '#functions/notifications/put-preferences'
import { spec as readNotifications } from '#functions/notifications/read-notifications'
import { spec as showUnsubscribe } from '#functions/notifications/show-unsubscribe'
import { spec as unsubscribe } from '#functions/notifications/unsubscribe'
import { spec as unsubscribeByPage } from '#functions/notifications/unsubscribe-by-page'
import { spec as exportAccount } from '#functions/privacy/export-account'
import type { Table } from '#lib/dynamo/table'
import { TABLE_WRITES } from '#lib/dynamo/table'
import { timestamp } from '#lib/kernel/clock'
import { type EnquiryId, idMaker, newId, UserId } from '#lib/kernel/id'
import type { Key } from '#lib/kernel/write'
import { markRead } from '#lib/notifications/mark-read'
import { notificationStateKey } from '#lib/notifications/notification.keys'
import { openNotifications } from '#lib/notifications/notification-store.dynamo'
import { call } from '#test/support/call'
import { eventsOf } from '#test/support/events'
import { aProvenUser, aUser, consoleToken, type GivenUser } from '#test/support/given'
import { anEvent, mailsOfEvent, notificationsOf } from '#test/support/notifications'
import { changeOf, deliveredTo } from '#test/support/stream'
import { testTable } from '#test/support/test-table'

let person: GivenUser

beforeEach(async () => {
  person = await aProvenUser()
})

const changed = () => anEvent('user.password_changed', person.id, { by: 'change', apiKeysEnded: 0 })
const other = UserId.parse('usr_01KAH3M6XQ8ZJ4T2V7W9C5RBND')

const written = (enquiry: EnquiryId) =>
  anEvent('enquiry.created', enquiry, {
    listingId: newId('listing'),
    customerId: other,
    agentId: UserId.parse(person.id),
    messageId: newId('message'),
  })

const read = (upTo: unknown) => call(readNotifications, { token: person.token, body: { upTo } })
const inDays = (days: number) => {
  const moment = new Date(Date.now() + days * 24 * 3600 * 1000)
  return { now: () => moment }
}

/** Removes an item as its time to live does, if that has ended by a moment. */
async function removeExpired(table: Table, key: Key, by: Date) {
  const expiresAtSeconds = Number((await table.get(key))?.['expiresAtSeconds'] ?? Number.POSITIVE_INFINITY)
  if (expiresAtSeconds * 1000 <= by.getTime()) await table.commit([TABLE_WRITES.remove(key)])
}

describe('notifying', () => {
  it('an event repeated two hundred times makes one notification and one mail', {
    timeout: 120_000,
  }, async () => {
    const event = changed()
    const changes = Array.from({ length: 200 }, () => changeOf(undefined, event))
    const batches = Array.from({ length: 20 }, (_, batch) => changes.slice(batch * 10, (batch + 1) * 10))
    await Promise.all(batches.map((batch) => deliveredTo(notifyPeople, batch)))
    expect(await notificationsOf(person.token)).toMatchObject({ items: [{ readAt: null }], unreadCount: 1 })
    expect(await mailsOfEvent(event)).toEqual([])
  })

  it('an address that is not verified gets the notification and no mail', async () => {
    person = await aUser()
    expect(await mailsOfEvent(changed())).toEqual([])
    expect((await notificationsOf(person.token)).items).toHaveLength(1)
  })

  it('an event of a type that this version does not know notifies no one', async () => {
    const event = { ...changed(), type: 'moon.risen' }
    await deliveredTo(notifyPeople, [changeOf(undefined, event)])
    expect((await notificationsOf(person.token)).items).toEqual([])
  })

  it('an account that has ended gets neither notification nor mail', async () => {
    await openNotifications(testTable()).close(UserId.parse(person.id))
    expect(await mailsOfEvent(changed())).toEqual([])
    expect(await notificationsOf(person.token)).toMatchObject({ items: [], unreadCount: 0 })
  })

  it('an account that ended months ago gets neither, whoever disputes its payment then', async () => {
    const table = testTable()
    const userId = UserId.parse(person.id)
    await openNotifications(table).close(userId)
    await removeExpired(table, notificationStateKey(userId), inDays(100).now())
    const disputed = anEvent('payment.status_changed', newId('payment'), {
      from: 'SUCCEEDED',
      to: 'DISPUTED',
      reason: 'callback',
      provider: 'sandbox',
      amount: 150_000,
      currency: 'XOF',
      purpose: 'rent',
      userId,
      agentId: null,
      listingId: null,
      paymentRequestId: null,
    })
    await mailsOfEvent(disputed)
    expect((await notificationsOf(person.token)).items).toEqual([])
  })
})

describe('the mail about a verified identity', () => {
  it('says until when the verification is valid, and nothing of it where it does not end', async () => {
    const token = await consoleToken()
    const mailAbout = async (decision: object) => {
      const body = { userId: person.id, kycStatus: 'VERIFIED', ...decision }
      expect(await call(setKycStatus, { token, body })).toMatchObject({ status: 200 })
      const [newest] = (await eventsOf(person.id, 'kyc.status_changed')).slice(-1)
      const [mail] = await mailsOfEvent({ ...newest })
      return mail?.text
    }
    expect(await mailAbout({ expiresAt: '2050-06-01T12:00:00Z' })).toMatch(/Valid until.*June 1, 2050/)
    expect(await mailAbout({ expiresAt: null })).not.toContain('Valid until')
  })
})

describe('a notification', () => {
  it('is in the language of its reader, and who is gone is someone', async () => {
    await call(changeProfile, { token: person.token, body: { locale: 'fr' } })
    const [mail] = await mailsOfEvent(written(newId('enquiry')))
    expect(mail?.subject).toBe('Nouvelle demande sur «\u00a0une annonce\u00a0»')
    expect(mail?.html).toContain('<html lang="fr" dir="ltr">')
    expect((await notificationsOf(person.token)).items).toMatchObject([{ text: 'Quelqu’un vous a écrit.' }])
  })

  it('is read once the mark has passed it, at that time', async () => {
    for (let count = 0; count < 3; count += 1) await mailsOfEvent(changed())
    const { items } = await notificationsOf(person.token)
    expect(await read(items[1]?.id)).toMatchObject({ status: 204, text: '' })
    const after = await notificationsOf(person.token)
    expect(after.unreadCount).toBe(1)
    expect(after.items.map(({ readAt }) => readAt === null)).toEqual([true, false, false])

    const unread = await notificationsOf(person.token, { unread: 'true' })
    expect(unread.items.map(({ id }) => id)).toEqual([items[0]?.id])
    const firstReadAt = after.items[1]?.readAt
    await read(items[0]?.id)
    const all = await notificationsOf(person.token)
    expect(all.unreadCount).toBe(0)
    expect(all.items[0]?.readAt).not.toBe(firstReadAt)
    expect(all.items[1]?.readAt).toBe(firstReadAt)
  })

  it('is in the export of its reader, with when it was read', async () => {
    await mailsOfEvent(changed())
    const [{ id = '', at = '' } = {}] = (await notificationsOf(person.token)).items
    await read(id)
    const { body } = await call(exportAccount, { token: person.token })
    expect(body).toMatchObject({
      notifications: {
        mail: { enquiries: true },
        items: [{ id, type: 'user.password_changed', subject: person.id, at, readAt: expect.any(String) }],
      },
    })
  })

  it('stays read when an older one is marked', async () => {
    for (let count = 0; count < 2; count += 1) await mailsOfEvent(changed())
    const [newest, oldest] = (await notificationsOf(person.token)).items
    await read(newest?.id)
    expect(await read(oldest?.id)).toMatchObject({ status: 204 })
    expect(await notificationsOf(person.token)).toMatchObject({ unreadCount: 0 })
  })

  it('another person’s notification, or an id of a wrong shape, is unknown', async () => {
    for (const upTo of [newId('notification'), 'nonsense', 'evt_01KAH3M6XQ8ZJ4T2V7W9C5RBND']) {
      expect(await read(upTo)).toMatchObject({ status: 404, body: { code: 'not_found' } })
    }
    expect(await read(undefined)).toMatchObject({ status: 400, body: { code: 'validation_failed' } })
  })

  it('can be read for ninety days, and then counts no more', async () => {
    const aged = (days: number) => {
      const at = new Date(Date.now() - days * 24 * 3600 * 1000)
      return anEvent('user.password_changed', person.id, { by: 'change', apiKeysEnded: 0 }, { at })
    }
    await mailsOfEvent(aged(89))
    await mailsOfEvent(aged(91))
    const { items, unreadCount } = await notificationsOf(person.token)
    expect([items.length, unreadCount]).toEqual([1, 1])
  })

  it('counts no more after ninety days either if an older one was marked meanwhile', async () => {
    const deliverAgo = async (days: number) => {
      const { now } = inDays(-days)
      const data = { by: 'change', apiKeysEnded: 0 } as const
      const event = anEvent('user.password_changed', person.id, data, { at: now() })
      await deliveredTo(notifyPeople, [changeOf(undefined, event)], { now, newId: idMaker(now) })
    }
    await deliverAgo(92)
    await deliverAgo(91)
    const notifications = openNotifications(testTable())
    const userId = UserId.parse(person.id)
    const { now } = inDays(-50)
    const stored = await notifications.list(userId, {
      limit: 2,
      after: undefined,
      newerThan: undefined,
      oldest: timestamp(inDays(-95).now()),
    })
    await markRead(
      { notifications, now },
      { id: userId, takenBackAt: null },
      { upTo: stored.items[1]?.id ?? '' },
    )
    expect(await notificationsOf(person.token)).toMatchObject({ items: [], unreadCount: 0 })
  })

  it('counts as unread while others come and the mark moves, whatever the order', async () => {
    await mailsOfEvent(changed())
    const [first] = (await notificationsOf(person.token)).items
    await Promise.all([
      read(first?.id),
      mailsOfEvent(changed()),
      mailsOfEvent(changed()),
      read(first?.id),
      mailsOfEvent(changed()),
    ])
    const { items, unreadCount } = await notificationsOf(person.token)
    expect(unreadCount).toBe(items.filter(({ readAt }) => readAt === null).length)
    expect(unreadCount).toBe(3)
  })
})

describe('a list of notifications', () => {
  it('comes in pages, newest first', async () => {
    for (let count = 0; count < 5; count += 1) await mailsOfEvent(changed())
    const first = await notificationsOf(person.token, { limit: '3' })
    const second = await notificationsOf(person.token, { limit: '3', cursor: first.nextCursor ?? '' })
    const ids = [...first.items, ...second.items].map(({ id }) => id)
    expect(ids).toEqual([...new Set(ids)].sort().reverse())
    expect(ids).toHaveLength(5)
    expect(second.nextCursor).toBeNull()
    const strange = { limit: '3', cursor: first.nextCursor ?? '', unread: 'true' }
    expect(await call(listNotifications, { token: person.token, query: strange })).toMatchObject({
      status: 400,
      body: { code: 'invalid_cursor' },
    })
  })
})

describe('preferences', () => {
  const put = (mail: unknown) => call(putPreferences, { token: person.token, body: { mail } })

  it('are all on at first, and one that is left out of a change stays', async () => {
    const get = async () => (await call(getPreferences, { token: person.token })).body
    const all = { listings: true, enquiries: true, payments: true, favourites: true, searches: true }
    expect(await get()).toEqual({ mail: all })
    const mail = { ...all, enquiries: false, searches: false }
    expect(await put(mail)).toMatchObject({ status: 200, body: { mail } })
    expect(await get()).toEqual({ mail })
    expect(await put({ listings: false })).toMatchObject({
      status: 200,
      body: { mail: { ...mail, listings: false } },
    })
    expect(await put({ listings: null })).toMatchObject({ status: 400, body: { code: 'validation_failed' } })
  })

  it('concern mail only', async () => {
    await put({ listings: true, enquiries: false, payments: true })
    expect(await mailsOfEvent(written(newId('enquiry')))).toEqual([])
    expect((await notificationsOf(person.token)).items).toHaveLength(1)
  })

  it('do not switch mail about the security of the account off', async () => {
    await put({ listings: false, enquiries: false, payments: false })
    const [mail] = await mailsOfEvent(changed())
    expect(mail?.subject).toBe('Your password was changed')
    expect(mail?.headers).toBeUndefined()
  })
})

describe('an opt-out', () => {
  const tokenOf = async () => {
    const [mail] = await mailsOfEvent(written(newId('enquiry')))
    const header = mail?.headers?.['List-Unsubscribe'] ?? ''
    expect(mail?.headers?.['List-Unsubscribe-Post']).toBe('List-Unsubscribe=One-Click')
    const [, address = ''] =
      /^<(https:\/\/api\.platform\.test\/notifications\/unsubscribe\?token=[^>]+)>$/.exec(header) ?? []
    return new URL(address).searchParams.get('token') ?? ''
  }
  const preferences = async () => (await call(getPreferences, { token: person.token })).body

  it('takes one click of a mail client, whatever it sends, and again', async () => {
    const token = await tokenOf()
    const form = {
      query: { token },
      rawBody: 'List-Unsubscribe=One-Click',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    }
    expect(await call(unsubscribe, form)).toMatchObject({ status: 204, text: '' })
    expect(await call(unsubscribe, { query: { token } })).toMatchObject({ status: 204 })
    expect(await preferences()).toEqual({
      mail: { listings: true, enquiries: false, payments: true, favourites: true, searches: true },
    })
    expect(await mailsOfEvent(written(newId('enquiry')))).toEqual([])
  })

  it('stores nothing of a person of whom nothing else is stored', async () => {
    const token = await tokenOf()
    const table = testTable()
    const userId = UserId.parse(person.id)
    await openNotifications(table).close(userId)
    expect(await call(unsubscribe, { query: { token } })).toMatchObject({ status: 204 })
    await table.commit([TABLE_WRITES.remove(notificationStateKey(userId))])
    expect(await call(unsubscribe, { query: { token } })).toMatchObject({ status: 204 })
    expect(await table.get(notificationStateKey(userId))).toBeUndefined()
  })

  it('has a page that changes nothing until its button is pressed', async () => {
    const token = await tokenOf()
    const headers = { 'accept-language': 'ar' }
    const page = await call(showUnsubscribe, { query: { token, utm_source: 'mail' }, headers })
    expect(page).toMatchObject({ status: 200, headers: { 'cache-control': 'no-store' } })
    expect(page.text).toContain('<html lang="ar" dir="rtl">')
    expect(page.text).toContain('<form method="post"><button>')
    expect(await preferences()).toMatchObject({ mail: { enquiries: true } })

    const done = await call(unsubscribeByPage, { query: { token }, headers })
    expect(done).toMatchObject({ status: 200 })
    expect(await preferences()).toMatchObject({ mail: { enquiries: false } })
  })

  it('refuses every other token', async () => {
    const token = await tokenOf()
    for (const wrong of ['x', `${token}x`, token.replace('enquiries', 'payments'), token.slice(0, -1)]) {
      const refusal = { status: 400, body: { code: 'invalid_token' } }
      expect(await call(unsubscribe, { query: { token: wrong } })).toMatchObject(refusal)
      expect(await call(showUnsubscribe, { query: { token: wrong } })).toMatchObject(refusal)
      for (const spec of [showUnsubscribe, unsubscribeByPage]) {
        const browser = { accept: 'text/html', 'accept-language': 'es' }
        const page = await call(spec, { query: { token: wrong }, headers: browser })
        expect(page).toMatchObject({ status: 400, headers: { 'content-type': 'text/html; charset=utf-8' } })
        expect(page.text).toContain('Abra el enlace que está al final de nuestro correo más reciente')
      }
    }
  })
})

describe('an enquiry', () => {
  it('is mailed about once an hour at most, and notified each time', async () => {
    const enquiry = newId('enquiry')
    expect(await mailsOfEvent(written(enquiry))).toHaveLength(1)
    expect(await mailsOfEvent(written(enquiry))).toEqual([])
    expect(await mailsOfEvent(written(newId('enquiry')))).toHaveLength(1)
    expect(await mailsOfEvent(written(enquiry), 1, inDays(1))).toHaveLength(1)
    expect((await notificationsOf(person.token)).items).toHaveLength(4)
  })
})
