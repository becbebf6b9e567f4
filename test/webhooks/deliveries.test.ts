import { Webhook as Verifier } from 'standardwebhooks'
import { beforeEach, describe, expect, it } from 'vitest'
import { spec as sendDueWebhooks } from '#functions/jobs/send-due-webhooks'
import { spec as sendWebhooks } from '#functions/jobs/send-webhooks'
import { openTable } from '#lib/dynamo/table'
import type { DomainEvent } from '#lib/events/event'
import { eventKey } from '#lib/events/event.keys'
import { openJournal } from '#lib/journal/journal.dynamo'
import { secondsAfter, timestamp } from '#lib/kernel/clock'
import { newId, UserId, type WebhookId } from '#lib/kernel/id'
import { type AttemptDeps, attemptDelivery } from '#lib/webhooks/attempt-delivery'
import type { Delivery } from '#lib/webhooks/delivery'
import { openDeliveries } from '#lib/webhooks/delivery-store.dynamo'
import { changeWebhook, deleteWebhook, registerWebhook, rotateSecret } from '#lib/webhooks/manage-webhooks'
import type { WebhookAnswer, WebhookPost } from '#lib/webhooks/post-webhook'
import { scheduleDeliveries } from '#lib/webhooks/schedule-deliveries'
import { redeliver } from '#lib/webhooks/send-by-hand'
import { sendDueDeliveries } from '#lib/webhooks/send-due-deliveries'
import { scheduledKey } from '#lib/webhooks/webhook.keys'
import { openWebhooks } from '#lib/webhooks/webhook-store.dynamo'
import { runJob } from '#test/support/jobs'
import { changeOf, deliveredTo } from '#test/support/stream'

const table = openTable(process.env['TABLE_NAME'] ?? '')
const webhooks = openWebhooks(table)
const deliveries = openDeliveries(table)

const TAKEN: WebhookAnswer = { status: 200, answer: 'ok', error: null, milliseconds: 3 }
const REFUSED: WebhookAnswer = { status: 500, answer: 'no', error: null, milliseconds: 3 }

let at = new Date()
let posts: WebhookPost[] = []
let answer: (post: WebhookPost) => WebhookAnswer = () => TAKEN
const deps = {
  webhooks,
  deliveries,
  journal: openJournal(table),
  allowsLoopback: false,
  now: () => at,
  newId,
  chance: () => 0,
  post: async (post: WebhookPost) => {
    posts.push(post)
    return answer(post)
  },
} satisfies AttemptDeps & Record<string, unknown>

const later = (seconds: number) => {
  at = secondsAfter(at, seconds)
}
const anEvent = (): DomainEvent => ({
  id: newId('event'),
  type: 'user.registered',
  subject: UserId.parse('usr_01KAH3M6XQ8ZJ4T2V7W9C5RBND'),
  at: timestamp(at),
  data: {},
})
const register = (url = 'https://receiver.example/hooks') =>
  registerWebhook(deps, 'admin', { url, types: ['user.registered'] })
const attemptsOf = async (id: WebhookId): Promise<Delivery[]> =>
  (await deliveries.list(id, { limit: 100, after: undefined })).items
const standingOf = async (id: WebhookId) => {
  const { status, disabledReason, failingSince } = (await webhooks.get(id)) ?? {}
  return [status, disabledReason, failingSince]
}

beforeEach(async () => {
  for (const { id } of await webhooks.all()) await deleteWebhook(deps, 'admin', id)
  at = new Date()
  posts = []
  answer = () => TAKEN
})

describe('an event', () => {
  it('is sent once to each endpoint that wants its type, signed as the official library verifies', async () => {
    const first = await register()
    const second = await register('https://second.example/')
    await registerWebhook(deps, 'admin', { url: 'https://other.example/', types: ['user.deleted'] })
    const event = anEvent()
    await scheduleDeliveries(deps, event)
    await sendDueDeliveries(deps)
    expect(posts.map(({ url }) => url).sort()).toEqual([first.url, second.url])
    const post = posts.find(({ url }) => url === first.url)
    expect(new Verifier(first.secret).verify(post?.body ?? '', { ...post?.headers })).toEqual({
      id: event.id,
      type: 'user.registered',
      timestamp: event.at,
      subject: event.subject,
      data: {},
    })
    expect(post?.headers['webhook-id']).toBe(event.id)
  })

  it('is ordered once, however often the stream repeats it', async () => {
    await register()
    const event = anEvent()
    await Promise.all(Array.from({ length: 20 }, () => scheduleDeliveries(deps, event)))
    await sendDueDeliveries(deps)
    await scheduleDeliveries(deps, event)
    await sendDueDeliveries(deps)
    expect(posts).toHaveLength(1)
  })

  it('is ordered once also when its message comes back from the dead letters after weeks', async () => {
    const { id } = await register()
    const event = anEvent()
    await scheduleDeliveries(deps, event)
    await sendDueDeliveries(deps)
    later(20 * 24 * 3600)
    const mark = await table.get(scheduledKey(id, event.id))
    // As the time to live does.
    if (Number(mark?.['expiresAtSeconds']) * 1000 < at.getTime()) {
      await table.commit([{ remove: scheduledKey(id, event.id) }])
    }
    await scheduleDeliveries(deps, event)
    await sendDueDeliveries(deps)
    expect(posts).toHaveLength(1)
  })

  it('is sent to every other endpoint although an attempt cannot be stored, which is thrown then', async () => {
    const [broken, ...others] = await Promise.all([register(), register(), register()])
    await scheduleDeliveries(deps, anEvent())
    const get: typeof webhooks.get = async (id) => {
      if (id === broken.id) throw new Error('The table does not answer')
      return webhooks.get(id)
    }
    const failing = { ...deps, webhooks: { ...webhooks, get } }
    await expect(sendDueDeliveries(failing)).rejects.toThrow('does not answer')
    for (const { id } of others) expect(await attemptsOf(id)).toMatchObject([{ status: 200 }])
  })

  it('is sent by one of many that take it up at once', async () => {
    const { id } = await register()
    await scheduleDeliveries(deps, anEvent())
    const [due] = await deliveries.due(id, at, 1)
    if (!due) throw new Error('Nothing is due')
    await Promise.all(Array.from({ length: 10 }, () => attemptDelivery(deps, due)))
    expect(posts).toHaveLength(1)
  })
})

describe('a failed attempt', () => {
  it('is made again after 5 s, 5 min, 30 min, 2, 5, 10, 14, 20 and 24 h, and no more', async () => {
    const { id } = await register()
    answer = () => REFUSED
    await scheduleDeliveries(deps, anEvent())
    const pauses = [5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400]
    await sendDueDeliveries(deps)
    for (const [index, pause] of pauses.entries()) {
      later(pause - 1)
      await sendDueDeliveries(deps)
      expect(posts).toHaveLength(index + 1)
      later(1)
      await sendDueDeliveries(deps)
      expect(posts).toHaveLength(index + 2)
    }
    expect(await deliveries.due(id, secondsAfter(at, 1e7), 10)).toEqual([])
    expect((await attemptsOf(id)).map(({ attempt }) => attempt)).toEqual([10, 9, 8, 7, 6, 5, 4, 3, 2, 1])
    expect(new Set(posts.map(({ headers }) => headers['webhook-id'])).size).toBe(1)
  })

  it('is made again with the same text, the members of its data in the order of their names', async () => {
    await register()
    const event = { ...anEvent(), data: { to: 'b', from: 'a', changes: [{ to: 2, from: 1 }] } }
    answer = () => REFUSED
    await scheduleDeliveries(deps, event)
    await sendDueDeliveries(deps)
    later(5)
    await sendDueDeliveries(deps)
    const { id, type, at: timestamp, subject } = event
    const data = { changes: [{ from: 1, to: 2 }], from: 'a', to: 'b' }
    const text = JSON.stringify({ id, type, timestamp, subject, data })
    expect(posts.map(({ body }) => body)).toEqual([text, text])
  })

  it.each([301, 302, 404, 410, 500])('is one that was answered %i', async (status) => {
    const { id } = await register()
    answer = () => ({ ...REFUSED, status })
    await scheduleDeliveries(deps, anEvent())
    await sendDueDeliveries(deps)
    expect(await standingOf(id)).toEqual(['ACTIVE', null, timestamp(at)])
    expect(await attemptsOf(id)).toMatchObject([{ attempt: 1, status, error: null, answer: 'no' }])
  })

  it('is made again by another when a function dies over it', async () => {
    const { id } = await register()
    await scheduleDeliveries(deps, anEvent())
    const dying = { ...deps, post: () => Promise.reject(new Error('the function ends here')) }
    await expect(sendDueDeliveries(dying)).rejects.toThrow()
    await sendDueDeliveries(deps)
    expect(posts).toHaveLength(0)
    later(60)
    await sendDueDeliveries(deps)
    expect(await attemptsOf(id)).toMatchObject([{ attempt: 1, status: 200 }])
  })

  it('an attempt that fails at one endpoint holds up no other', async () => {
    const slow = await register()
    const fast = await registerWebhook(deps, 'admin', {
      url: 'https://fast.example/',
      types: ['user.registered'],
    })
    answer = ({ url }) => (url === slow.url ? REFUSED : TAKEN)
    await Promise.all(Array.from({ length: 20 }, () => scheduleDeliveries(deps, anEvent())))
    await sendDueDeliveries(deps)
    expect((await attemptsOf(fast.id)).map(({ status }) => status)).toEqual(Array(20).fill(200))
  })
})

describe('the queue of deliveries to one endpoint', () => {
  it('keeps messages of one subject in order, and has others made side by side', async () => {
    const { id: webhookId } = await register()
    const subjectOf = (subject: string) => {
      const { id, type, at, data } = anEvent()
      const orderedAt = timestamp(deps.now())
      const write = deliveries.schedule({
        id: newId('delivery'),
        webhookId,
        message: { id, type, subject, at, data },
        attempt: 1,
        orderedAt,
        dueAt: orderedAt,
        byHand: false,
      })
      return 'put' in write ? write.put['subject'] : undefined
    }
    expect(subjectOf('pay_1')).toBe(subjectOf('pay_1'))
    const lanes = new Set(Array.from({ length: 200 }, (_, index) => subjectOf(`pay_${index}`)))
    expect(lanes.size).toBe(8)
  })
})

describe('an endpoint', () => {
  it('is switched off when every attempt has failed for five days', async () => {
    const { id } = await register()
    answer = () => REFUSED
    const since = timestamp(at)
    for (let day = 0; day < 5; day += 1) {
      await scheduleDeliveries(deps, anEvent())
      await sendDueDeliveries(deps)
      expect(await standingOf(id)).toEqual(['ACTIVE', null, since])
      later(24 * 60 * 60)
    }
    await scheduleDeliveries(deps, anEvent())
    await sendDueDeliveries(deps)
    expect(await standingOf(id)).toEqual(['DISABLED', 'failing_for_five_days', since])
  })

  it('is not failing any more once an attempt succeeds', async () => {
    const { id } = await register()
    answer = () => REFUSED
    await scheduleDeliveries(deps, anEvent())
    await sendDueDeliveries(deps)
    answer = () => TAKEN
    await scheduleDeliveries(deps, anEvent())
    await sendDueDeliveries(deps)
    expect(await standingOf(id)).toEqual(['ACTIVE', null, null])
  })

  it('an endpoint that was switched off and on again gets the messages of that time by hand only', async () => {
    const { id } = await register()
    answer = () => REFUSED
    await scheduleDeliveries(deps, anEvent())
    await sendDueDeliveries(deps)
    await changeWebhook(deps, 'admin', id, { status: 'DISABLED' })
    later(1)
    await scheduleDeliveries(deps, anEvent())
    later(1)
    await changeWebhook(deps, 'admin', id, { status: 'ACTIVE' })
    answer = () => TAKEN
    posts = []
    later(24 * 60 * 60)
    await sendDueDeliveries(deps)
    expect(posts).toEqual([])
    const missed = (await attemptsOf(id)).filter(({ error }) => error === 'webhook_disabled')
    expect(missed).toHaveLength(2)
    for (const each of missed) await redeliver(deps, id, each.id)
    await sendDueDeliveries(deps)
    expect(posts.map(({ headers }) => headers['webhook-id']).sort()).toEqual(
      missed.map(({ eventId }) => eventId).sort(),
    )
  })

  it('signs with two secrets for 24 hours after a rotation, and drops the oldest at the next', async () => {
    const first = await register()
    const second = await rotateSecret(deps, 'admin', first.id)
    const verifies = async (secret: string) => {
      posts = []
      await scheduleDeliveries(deps, anEvent())
      await sendDueDeliveries(deps)
      const [post] = posts
      try {
        new Verifier(secret).verify(post?.body ?? '', { ...post?.headers })
        return true
      } catch {
        return false
      }
    }
    expect([await verifies(first.secret), await verifies(second.secret)]).toEqual([true, true])
    const third = await rotateSecret(deps, 'admin', first.id)
    expect([
      await verifies(first.secret),
      await verifies(second.secret),
      await verifies(third.secret),
    ]).toEqual([false, true, true])
  })

  it('a removed endpoint is sent nothing more', async () => {
    const { id } = await register()
    await scheduleDeliveries(deps, anEvent())
    await deleteWebhook(deps, 'admin', id)
    await sendDueDeliveries(deps)
    expect(posts).toEqual([])
  })
})

describe('the functions that send', () => {
  it('order what an event brings, send it when it is due, and send it again until it is taken', async () => {
    const { id } = await register()
    const event = anEvent()
    const item = { ...eventKey(event.id), kind: 'event', ...event }
    const { post, now, chance } = deps
    const send = (put: object) => deliveredTo(sendWebhooks, [changeOf(undefined, put)], { post, now, chance })
    answer = () => REFUSED
    await send(item)
    const [first] = await deliveries.due(id, at, 1)
    if (!first) throw new Error('Nothing is due')
    await send({ kind: 'delivery-due', ...first })
    expect(posts).toHaveLength(1)
    answer = () => TAKEN
    later(5)
    await runJob(sendDueWebhooks, { post, now, chance })
    await runJob(sendDueWebhooks, { post, now, chance })
    expect(posts).toHaveLength(2)
    expect((await attemptsOf(id)).map(({ status }) => status).sort()).toEqual([200, 500])
  })

  it('switch an endpoint off that has failed for five days', async () => {
    const { id } = await register()
    const { post, now, chance } = deps
    answer = () => REFUSED
    await scheduleDeliveries(deps, anEvent())
    await runJob(sendDueWebhooks, { post, now, chance })
    later(5 * 24 * 60 * 60 + 1)
    await runJob(sendDueWebhooks, { post, now, chance })
    expect((await standingOf(id))[0]).toBe('DISABLED')
  })
})
