import { beforeEach, describe, expect, it } from 'vitest'
import { spec as changeProfile } from '#functions/accounts/change-profile'
import { spec as tellPeople } from '#functions/jobs/tell-people'
import { spec as getPreferences } from '#functions/notifications/get-preferences'
import { spec as listNotices } from '#functions/notifications/list-notices'
import { spec as putPreferences } from '#functions/notifications/put-preferences'
import { spec as readNotices } from '#functions/notifications/read-notices'
import { spec as showUnsubscribe } from '#functions/notifications/show-unsubscribe'
import { spec as unsubscribe } from '#functions/notifications/unsubscribe'
import { spec as unsubscribeByPage } from '#functions/notifications/unsubscribe-by-page'
import { spec as exportAccount } from '#functions/privacy/export-account'
import { openTable } from '#lib/dynamo/table'
import { type EnquiryId, newId, UserId } from '#lib/kernel/id'
import { openInbox } from '#lib/notifications/inbox.dynamo'
import { call } from '#test/support/call'
import { aProvenUser, aUser, type GivenUser } from '#test/support/given'
import { anEvent, noticesOf, told } from '#test/support/notices'
import { changeOf, deliveredTo } from '#test/support/stream'

let person: GivenUser

beforeEach(async () => {
  person = await aProvenUser()
})

const changed = () => anEvent('user.password_changed', person.id, { by: 'change' })
const other = UserId.parse('usr_01KAH3M6XQ8ZJ4T2V7W9C5RBND')

const written = (enquiry: EnquiryId) =>
  anEvent('enquiry.created', enquiry, {
    listingId: newId('listing'),
    customerId: other,
    agentId: UserId.parse(person.id),
    messageId: newId('message'),
  })

const read = (upTo: unknown) => call(readNotices, { token: person.token, body: { upTo } })
const inDays = (days: number) => {
  const moment = new Date(Date.now() + days * 24 * 3600 * 1000)
  return { now: () => moment }
}

describe('an event', () => {
  it('that the stream repeats a thousand times makes one notification and one mail', {
    timeout: 120_000,
  }, async () => {
    const event = changed()
    const changes = Array.from({ length: 1_000 }, () => changeOf(undefined, event))
    const batches = Array.from({ length: 100 }, (_, batch) => changes.slice(batch * 10, (batch + 1) * 10))
    await Promise.all(batches.map((batch) => deliveredTo(tellPeople, batch)))
    expect(await noticesOf(person.token)).toMatchObject({ items: [{ readAt: null }], unreadCount: 1 })
    expect(await told(event)).toEqual([])
  })

  it('makes no mail for an address that is not proven', async () => {
    person = await aUser()
    expect(await told(changed())).toEqual([])
    expect((await noticesOf(person.token)).items).toHaveLength(1)
  })

  it('of one that is not known to this version is left alone', async () => {
    const event = { ...changed(), type: 'moon.risen' }
    await deliveredTo(tellPeople, [changeOf(undefined, event)])
    expect((await noticesOf(person.token)).items).toEqual([])
  })

  it('tells nobody whose account has ended', async () => {
    await openInbox(openTable(process.env['TABLE_NAME'] ?? '')).close(UserId.parse(person.id), new Date())
    expect(await told(changed())).toEqual([])
    expect(await noticesOf(person.token)).toMatchObject({ items: [], unreadCount: 0 })
  })
})

describe('a notification', () => {
  it('is in the language of its reader, and who is gone is someone', async () => {
    await call(changeProfile, { token: person.token, body: { locale: 'fr' } })
    const [mail] = await told(written(newId('enquiry')))
    expect(mail?.subject).toBe('Nouvelle demande sur «\u00a0une annonce\u00a0»')
    expect(mail?.html).toContain('<html lang="fr" dir="ltr">')
    expect((await noticesOf(person.token)).items).toMatchObject([{ text: 'Quelqu’un vous a écrit.' }])
  })

  it('is read once the mark has passed it, at that time', async () => {
    for (let count = 0; count < 3; count += 1) await told(changed())
    const { items } = await noticesOf(person.token)
    expect(await read(items[1]?.id)).toMatchObject({ status: 204, text: '' })
    const after = await noticesOf(person.token)
    expect(after.unreadCount).toBe(1)
    expect(after.items.map(({ readAt }) => readAt === null)).toEqual([true, false, false])

    const unread = await noticesOf(person.token, { unread: 'true' })
    expect(unread.items.map(({ id }) => id)).toEqual([items[0]?.id])
    const firstReadAt = after.items[1]?.readAt
    await read(items[0]?.id)
    const all = await noticesOf(person.token)
    expect(all.unreadCount).toBe(0)
    expect(all.items[0]?.readAt).not.toBe(firstReadAt)
    expect(all.items[1]?.readAt).toBe(firstReadAt)
  })

  it('is in the export of its reader, with when it was read', async () => {
    await told(changed())
    const [{ id = '', at = '' } = {}] = (await noticesOf(person.token)).items
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
    for (let count = 0; count < 2; count += 1) await told(changed())
    const [newest, oldest] = (await noticesOf(person.token)).items
    await read(newest?.id)
    expect(await read(oldest?.id)).toMatchObject({ status: 204 })
    expect(await noticesOf(person.token)).toMatchObject({ unreadCount: 0 })
  })

  it('of somebody else, or of a wrong shape, is unknown', async () => {
    for (const upTo of [newId('inbox'), 'nonsense', 'evt_01KAH3M6XQ8ZJ4T2V7W9C5RBND']) {
      expect(await read(upTo)).toMatchObject({ status: 404, body: { code: 'not_found' } })
    }
    expect(await read(undefined)).toMatchObject({ status: 400, body: { code: 'validation_failed' } })
  })

  it('can be read for ninety days, and then counts no more', async () => {
    const aged = (days: number) => {
      const at = new Date(Date.now() - days * 24 * 3600 * 1000)
      return anEvent('user.password_changed', person.id, { by: 'change' }, { at })
    }
    await told(aged(89))
    await told(aged(91))
    const { items, unreadCount } = await noticesOf(person.token)
    expect([items.length, unreadCount]).toEqual([1, 1])
  })

  it('counts as unread while others come and the mark moves, whatever the order', async () => {
    await told(changed())
    const [first] = (await noticesOf(person.token)).items
    await Promise.all([read(first?.id), told(changed()), told(changed()), read(first?.id), told(changed())])
    const { items, unreadCount } = await noticesOf(person.token)
    expect(unreadCount).toBe(items.filter(({ readAt }) => readAt === null).length)
    expect(unreadCount).toBe(3)
  })
})

describe('a list of notifications', () => {
  it('comes in pages, newest first', async () => {
    for (let count = 0; count < 5; count += 1) await told(changed())
    const first = await noticesOf(person.token, { limit: '3' })
    const second = await noticesOf(person.token, { limit: '3', cursor: first.nextCursor ?? '' })
    const ids = [...first.items, ...second.items].map(({ id }) => id)
    expect(ids).toEqual([...new Set(ids)].sort().reverse())
    expect(ids).toHaveLength(5)
    expect(second.nextCursor).toBeNull()
    const strange = { limit: '3', cursor: first.nextCursor ?? '', unread: 'true' }
    expect(await call(listNotices, { token: person.token, query: strange })).toMatchObject({
      status: 400,
      body: { code: 'invalid_cursor' },
    })
  })
})

describe('preferences', () => {
  const put = (mail: unknown) => call(putPreferences, { token: person.token, body: { mail } })

  it('are all on at first, and replaced whole', async () => {
    const get = async () => (await call(getPreferences, { token: person.token })).body
    expect(await get()).toEqual({ mail: { listings: true, enquiries: true, payments: true } })
    const mail = { listings: true, enquiries: false, payments: true }
    expect(await put(mail)).toMatchObject({ status: 200, body: { mail } })
    expect(await get()).toEqual({ mail })
    expect(await put({ listings: true })).toMatchObject({ status: 400, body: { code: 'validation_failed' } })
  })

  it('concern mail only', async () => {
    await put({ listings: true, enquiries: false, payments: true })
    expect(await told(written(newId('enquiry')))).toEqual([])
    expect((await noticesOf(person.token)).items).toHaveLength(1)
  })

  it('do not switch mail about the security of the account off', async () => {
    await put({ listings: false, enquiries: false, payments: false })
    const [mail] = await told(changed())
    expect(mail?.subject).toBe('Your password was changed')
    expect(mail?.headers).toBeUndefined()
  })
})

describe('an opt-out', () => {
  const tokenOf = async () => {
    const [mail] = await told(written(newId('enquiry')))
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
    expect(await preferences()).toEqual({ mail: { listings: true, enquiries: false, payments: true } })
    expect(await told(written(newId('enquiry')))).toEqual([])
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
    }
  })
})

describe('an enquiry', () => {
  it('is mailed about once an hour at most, and notified each time', async () => {
    const enquiry = newId('enquiry')
    expect(await told(written(enquiry))).toHaveLength(1)
    expect(await told(written(enquiry))).toEqual([])
    expect(await told(written(newId('enquiry')))).toHaveLength(1)
    expect(await told(written(enquiry), 1, inDays(1))).toHaveLength(1)
    expect((await noticesOf(person.token)).items).toHaveLength(4)
  })
})
