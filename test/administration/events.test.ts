import { beforeAll, describe, expect, it } from 'vitest'
import { spec as getEvent } from '#functions/administration/get-event'
import { spec as listEvents } from '#functions/administration/list-events'
import { announce } from '#lib/events/event'
import { secondsAfter, timestamp } from '#lib/kernel/clock'
import { type EventId, idMaker, newId, type UserId } from '#lib/kernel/id'
import { call } from '#test/support/call'
import { consoleToken } from '#test/support/given'
import { testTable } from '#test/support/test-table'

const { commit } = testTable()
const NOW = new Date()
let token: string
beforeAll(async () => {
  token = await consoleToken()
})

const list = async (query: Record<string, string>, now = NOW) =>
  call(listEvents, { token, query, deps: { now: () => now } })
const idsOf = async (query: Record<string, string>, now = NOW) =>
  (await list(query, now)).body.items.map(({ id }) => id)

/** An event that was announced so many seconds ago. */
async function announced(
  secondsAgo: number,
  subject: UserId,
  type: 'user.banned' | 'user.deleted' = 'user.banned',
) {
  const at = secondsAfter(NOW, -secondsAgo)
  const id = idMaker(() => at)('event')
  await commit([announce({ id, type, subject, at: timestamp(at), data: {} })])
  return id
}

describe('GET /admin/events', () => {
  it('lists events oldest first, and goes on after the last one that was read', async () => {
    const subject = newId('user')
    const ids: EventId[] = []
    for (const secondsAgo of [300, 200, 100, 50]) ids.push(await announced(secondsAgo, subject))
    const [first = ''] = ids
    expect(await idsOf({ subject })).toEqual(ids)
    expect(await idsOf({ subject, after: first })).toEqual(ids.slice(1))
    expect((await idsOf({ after: first, limit: '100' })).filter((id) => ids.includes(id))).toEqual(
      ids.slice(1),
    )
  })

  it('pages by a cursor of its own', async () => {
    const subject = newId('user')
    const ids = await Promise.all([5, 4, 3, 2, 1].map((minutes) => announced(minutes * 60, subject)))
    const first = (await list({ subject, limit: '2' })).body
    const second = (await list({ subject, limit: '2', cursor: first.nextCursor ?? '' })).body
    const third = (await list({ subject, limit: '2', cursor: second.nextCursor ?? '' })).body
    expect([first, second, third].flatMap(({ items }) => items.map(({ id }) => id))).toEqual(ids)
    expect(third.nextCursor).toBeNull()
  })

  it('leaves those of one type', async () => {
    const subject = newId('user')
    await announced(100, subject)
    const deleted = await announced(90, subject, 'user.deleted')
    expect(await idsOf({ subject, type: 'user.deleted' })).toEqual([deleted])
  })

  it('answers an event from ten seconds after its time, by its id too', async () => {
    const subject = newId('user')
    const id = await announced(5, subject)
    const seen = async (now: Date) => [
      await idsOf({ subject }, now),
      (await call(getEvent, { token, params: { id }, deps: { now: () => now } })).status,
    ]
    expect(await seen(NOW)).toEqual([[], 404])
    expect(await seen(secondsAfter(NOW, 6))).toEqual([[id], 200])
  })

  it('refuses to go on after an event that is older than thirty days', async () => {
    const old = idMaker(() => secondsAfter(NOW, -31 * 86_400))('event')
    expect(await list({ after: old })).toMatchObject({ status: 400, body: { code: 'invalid_cursor' } })
  })

  it('an event that is older than thirty days is answered no more, although the table may still hold it', async () => {
    const subject = newId('user')
    const [old, kept] = [
      await announced(30 * 86_400 + 1, subject),
      await announced(30 * 86_400 - 60, subject),
    ]
    const read = async (id: string) =>
      (await call(getEvent, { token, params: { id }, deps: { now: () => NOW } })).status
    expect(await idsOf({ subject })).toEqual([kept])
    expect([await read(old), await read(kept)]).toEqual([404, 200])
  })

  it.each([{ type: 'user.imagined' }, { after: 'evt_1' }, { limit: '0' }])(
    'refuses %o with 400',
    async (query) => {
      expect((await list(query)).status).toBe(400)
    },
  )
})
