import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { spec as changeWebhook } from '#functions/webhooks/change-webhook'
import { spec as createWebhook } from '#functions/webhooks/create-webhook'
import { spec as deleteWebhook } from '#functions/webhooks/delete-webhook'
import { spec as getWebhook } from '#functions/webhooks/get-webhook'
import { spec as listDeliveries } from '#functions/webhooks/list-deliveries'
import { spec as listWebhooks } from '#functions/webhooks/list-webhooks'
import { spec as redeliver } from '#functions/webhooks/redeliver'
import { spec as rotateSecret } from '#functions/webhooks/rotate-secret'
import { spec as testWebhook } from '#functions/webhooks/test-webhook'
import { call } from '#test/support/call'
import { consoleToken } from '#test/support/given'

let token: string
beforeAll(async () => {
  token = await consoleToken()
})
beforeEach(async () => {
  for (const { id } of await all()) await call(deleteWebhook, { token, params: { id } })
})

type Webhook = { id: string; secret: string }
const INPUT = { url: 'https://receiver.example.com/hooks', types: ['payment.status_changed'] }
const create = (body: object = INPUT) => call(createWebhook, { token, body })
const aWebhook = async (): Promise<Webhook> => (await create()).body
const all = async () => (await call(listWebhooks, { token, query: { limit: '100' } })).body.items

/** The attempts that are listed in thirty days. */
async function attemptsInThirtyDays(id: string) {
  const now = new Date(Date.now() + 30 * 24 * 60 * 60 * 1000)
  const seconds = Math.floor(now.getTime() / 1000)
  const later = await consoleToken({ iat: seconds, exp: seconds + 600, auth_time: seconds })
  return (await call(listDeliveries, { token: later, params: { id }, deps: { now: () => now } })).body
}

describe('POST /admin/webhooks', () => {
  it('answers 201 with the secret, which no later answer holds', async () => {
    const { status, body } = await create({ ...INPUT, description: 'Our books' })
    expect([status, body]).toEqual([
      201,
      {
        id: expect.stringMatching(/^whk_/),
        ...INPUT,
        description: 'Our books',
        status: 'ACTIVE',
        disabledReason: null,
        failingSince: null,
        createdAt: expect.any(String),
        secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/),
      },
    ])
    const { secret, ...shown } = body
    expect((await call(getWebhook, { token, params: { id: shown.id } })).body).toEqual(shown)
    expect(JSON.stringify(await all())).not.toContain(secret)
  })

  it.each([
    ['plain http', 'http://receiver.example.com/'],
    ['a user name', 'https://user@receiver.example.com/'],
    ['a password', 'https://:secret@receiver.example.com/'],
    ['this machine', 'https://localhost/'],
    ['this machine by its whole name', 'https://localhost./'],
    ['a name of this machine', 'https://api.localhost/'],
    ['half a character', 'https://receiver.example.com/\ud800'],
    ['NUL', 'https://receiver.example.com/\u0000'],
    ['a host that no name server can know', 'https://a..example.com/'],
    ['port 0', 'https://receiver.example.com:0/'],
    ['loopback', 'https://127.0.0.1/'],
    ['the metadata service', 'https://169.254.169.254/latest'],
    ['a mapped inner address', 'https://[::ffff:10.0.0.1]/'],
    ['an inner address as a number', 'https://167772161/'],
    ['no address', 'receiver.example.com'],
    ['another protocol', 'ftp://receiver.example.com/'],
  ])('refuses %s with 400', async (_what, url) => {
    expect(await create({ ...INPUT, url })).toMatchObject({
      status: 400,
      body: { code: 'validation_failed', errors: [{ path: 'url' }] },
    })
  })

  it('takes plain http to loopback, and nothing else of loopback, on the local stack', async () => {
    const deps = { allowsLoopback: () => true }
    const statusOf = async (url: string) =>
      (await call(createWebhook, { token, body: { ...INPUT, url }, deps })).status
    expect(await statusOf('http://127.0.0.1:4000/')).toBe(201)
    for (const url of [
      'http://127.0.0.1.example.com/',
      'http://127.example.com/',
      'http://10.0.0.1/',
      'https://127.0.0.1/',
      'https://[::1]/',
      'https://2130706433/',
    ])
      expect(await statusOf(url)).toBe(400)
  })

  it.each([
    ['none', []],
    ['one that is not in the document', ['payment.imagined']],
    ['a ping, which nobody announces', ['ping']],
  ])('refuses %s as types with 400', async (_what, types) => {
    expect((await create({ ...INPUT, types })).status).toBe(400)
  })

  it('takes twenty endpoints, however many are registered at once, and refuses more with 409', async () => {
    const answers = await Promise.all(Array.from({ length: 25 }, () => create()))
    expect(await all()).toHaveLength(answers.filter(({ status }) => status === 201).length)
    for (let left = 20 - (await all()).length; left > 0; left -= 1) await aWebhook()
    expect(await create()).toMatchObject({ status: 409, body: { code: 'webhook_limit_reached' } })
    const [first] = await all()
    await call(deleteWebhook, { token, params: { id: first?.id ?? '' } })
    expect((await create()).status).toBe(201)
  })
})

describe('PATCH /admin/webhooks/{id}', () => {
  it('switches an endpoint off and on again', async () => {
    const { id } = await aWebhook()
    const patch = (body: object) => call(changeWebhook, { token, params: { id }, body })
    expect((await patch({ status: 'DISABLED' })).body).toMatchObject({
      status: 'DISABLED',
      disabledReason: 'by_administrator',
    })
    expect((await patch({ status: 'ACTIVE', description: null })).body).toMatchObject({
      status: 'ACTIVE',
      disabledReason: null,
    })
  })

  it('judges a new address as the first one', async () => {
    const { id } = await aWebhook()
    const answer = await call(changeWebhook, { token, params: { id }, body: { url: 'https://10.0.0.1/' } })
    expect(answer.status).toBe(400)
  })
})

describe('POST /admin/webhooks/{id}/rotate', () => {
  it('answers another secret', async () => {
    const { id, secret } = await aWebhook()
    const { status, body } = await call(rotateSecret, { token, params: { id } })
    expect([status, body.secret === secret]).toEqual([200, false])
  })
})

describe('POST /admin/webhooks/{id}/test', () => {
  it('orders a ping, which stands among the deliveries for thirty days and can be sent again', async () => {
    const { id } = await aWebhook()
    expect((await call(testWebhook, { token, params: { id } })).status).toBe(202)
    const { body } = await call(listDeliveries, { token, params: { id } })
    const { items } = body
    expect(items).toMatchObject([{ type: 'ping', attempt: 1, status: null, error: null }])
    expect(await attemptsInThirtyDays(id)).toEqual({ items: [], nextCursor: null })
    const params = { id, deliveryId: items[0]?.id ?? '' }
    expect(await call(redeliver, { token, params })).toMatchObject({
      status: 202,
      body: { delivery: { type: 'ping', attempt: 2, eventId: items[0]?.eventId } },
    })
  })
})

describe('what is not there', () => {
  it('answers 404, a removed endpoint included', async () => {
    const { id } = await aWebhook()
    expect((await call(deleteWebhook, { token, params: { id } })).status).toBe(204)
    for (const spec of [getWebhook, deleteWebhook, rotateSecret, testWebhook, listDeliveries]) {
      expect((await call(spec, { token, params: { id } })).status).toBe(404)
    }
    const deliveryId = 'dlv_01KAH3M6XQ8ZJ4T2V7W9C5RBND'
    expect((await call(redeliver, { token, params: { id, deliveryId } })).status).toBe(404)
  })
})
