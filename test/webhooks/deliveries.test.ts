import { readFile } from 'node:fs/promises'
import { Webhook as Verifier } from 'standardwebhooks'
import { beforeEach, describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { spec as queueDueDeliveriesSpec } from '#functions/jobs/queue-due-deliveries'
import { spec as retryDeliveries } from '#functions/jobs/retry-deliveries'
import { spec as scheduleDeliveriesSpec } from '#functions/jobs/schedule-deliveries'
import { spec as sendDeliveries } from '#functions/jobs/send-deliveries'
import { TABLE_WRITES } from '#lib/dynamo/table'
import type { DomainEvent } from '#lib/events/event'
import { eventKey } from '#lib/events/event.keys'
import { openJournal } from '#lib/journal/journal.dynamo'
import { secondsAfter, timestamp } from '#lib/kernel/clock'
import { newId, UserId, type WebhookId } from '#lib/kernel/id'
import { Changes } from '#lib/local/events/event-sources'
import { type AttemptDeps, attemptDelivery } from '#lib/webhooks/attempt-delivery'
import { backoffSeconds, type Delivery, QueuedDelivery } from '#lib/webhooks/delivery'
import { LANES, openDeliveries } from '#lib/webhooks/delivery-store.dynamo'
import { changeWebhook, deleteWebhook, registerWebhook, rotateSecret } from '#lib/webhooks/manage-webhooks'
import type { WebhookAnswer, WebhookPost } from '#lib/webhooks/post-webhook'
import { queueDueDeliveries } from '#lib/webhooks/queue-due-deliveries'
import { scheduleDeliveries } from '#lib/webhooks/schedule-deliveries'
import { redeliver } from '#lib/webhooks/send-by-hand'
import { WEBHOOKS_MAX } from '#lib/webhooks/webhook'
import { queuedDeliveriesPartition, scheduledKey } from '#lib/webhooks/webhook.keys'
import { openWebhooks } from '#lib/webhooks/webhook-store.dynamo'
import { runJob } from '#test/support/jobs'
import { changeOf, deliveredTo } from '#test/support/stream'
import { testTable } from '#test/support/test-table'

const table = testTable()
const webhooks = openWebhooks(table)
const deliveries = openDeliveries(table)

const TAKEN: WebhookAnswer = { status: 200, answer: 'ok', error: null, milliseconds: 3 }
const REFUSED: WebhookAnswer = { status: 500, answer: 'no', error: null, milliseconds: 3 }

let at = new Date()
let posts: WebhookPost[] = []
let answer: (post: WebhookPost) => WebhookAnswer = () => TAKEN
const deps = {
  once: { receipt: () => [] },
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

/** What the queues hold for a webhook, those among it whose delay has passed. */
async function queuedFor(id: WebhookId): Promise<QueuedDelivery[]> {
  const items = await table.queryAll({ partition: queuedDeliveriesPartition(id), consistent: true })
  return items.map((item) => QueuedDelivery.parse(item)).filter(({ dueAt }) => dueAt <= timestamp(at))
}
const queuedForAll = async () => {
  const all = await webhooks.all()
  return (await Promise.all(all.map(({ id }) => queuedFor(id)))).flat()
}

/** Has the function of its queue make an attempt. */
const handOut = (queued: QueuedDelivery, overrides: Partial<AttemptDeps> = {}) => {
  const { post, now, chance } = deps
  const spec = queued.queue === 'sending' ? sendDeliveries : retryDeliveries
  return deliveredTo(spec, [changeOf(undefined, queued)], { post, now, chance, ...overrides })
}
/** Hands out what the queues hold, until they are empty. */
async function sendQueued(): Promise<void> {
  for (let queued = await queuedForAll(); queued.length > 0; queued = await queuedForAll())
    for (const each of queued) await handOut(each)
}
/** Queues what is due, as every minute does, and empties the queues. */
async function sendDue(): Promise<void> {
  await runJob(queueDueDeliveriesSpec, { now: deps.now })
  await sendQueued()
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
/** What serverless.yml says of the queues of deliveries. */
async function queueSettings() {
  const text = await readFile(new URL('../../serverless.yml', import.meta.url), 'utf8')
  const { functions } = parse(text, { logLevel: 'silent' })
  const settingsOf = (name: string) => Changes.parse(functions[name].events[0].changes)
  return { sending: settingsOf('sendDeliveries'), retrying: settingsOf('retryDeliveries') }
}
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
    await sendDue()
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
    await sendDue()
    await scheduleDeliveries(deps, event)
    await sendDue()
    expect(posts).toHaveLength(1)
  })

  it('is ordered once also when its message comes back from the dead letters after weeks', async () => {
    const { id } = await register()
    const event = anEvent()
    await scheduleDeliveries(deps, event)
    await sendDue()
    later(20 * 24 * 3600)
    const mark = await table.get(scheduledKey(id, event.id))
    // As the time to live does.
    if (Number(mark?.['expiresAtSeconds']) * 1000 < at.getTime()) {
      await table.commit([TABLE_WRITES.remove(scheduledKey(id, event.id))])
    }
    await scheduleDeliveries(deps, event)
    await sendDue()
    expect(posts).toHaveLength(1)
  })

  it('is sent once although its message comes twice', async () => {
    const { id } = await register()
    await scheduleDeliveries(deps, anEvent())
    const [queued] = await queuedFor(id)
    if (!queued) throw new Error('Nothing is queued')
    await handOut(queued)
    await handOut(queued)
    expect(posts).toHaveLength(1)
    expect(await attemptsOf(id)).toHaveLength(1)
  })
})

describe('a failed attempt', () => {
  it('is made again after 5 s, 5 min, 30 min, 2, 5, 10, 14, 20 and 24 h, and no more', async () => {
    const { id } = await register()
    answer = () => REFUSED
    await scheduleDeliveries(deps, anEvent())
    const pauses = [5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400]
    await sendDue()
    for (const [index, pause] of pauses.entries()) {
      later(pause - 1)
      await sendDue()
      expect(posts).toHaveLength(index + 1)
      later(1)
      await sendDue()
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
    await sendDue()
    later(5)
    await sendDue()
    const { id, type, at: timestamp, subject } = event
    const data = { changes: [{ from: 1, to: 2 }], from: 'a', to: 'b' }
    const text = JSON.stringify({ id, type, timestamp, subject, data })
    expect(posts.map(({ body }) => body)).toEqual([text, text])
  })

  it.each([301, 302, 404, 410, 500])('is one that was answered %i', async (status) => {
    const { id } = await register()
    answer = () => ({ ...REFUSED, status })
    await scheduleDeliveries(deps, anEvent())
    await sendDue()
    expect(await standingOf(id)).toEqual(['ACTIVE', null, timestamp(at)])
    expect(await attemptsOf(id)).toMatchObject([{ attempt: 1, status, error: null, answer: 'no' }])
  })

  it('is made again when the function dies over it, whose message comes again', async () => {
    const { id } = await register()
    await scheduleDeliveries(deps, anEvent())
    const [queued] = await queuedFor(id)
    if (!queued) throw new Error('Nothing is queued')
    const post = () => Promise.reject(new Error('the function ends here'))
    await expect(handOut(queued, { post })).rejects.toThrow('ends here')
    await handOut(queued)
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
    await sendDue()
    expect((await attemptsOf(fast.id)).map(({ status }) => status)).toEqual(Array(20).fill(200))
  })
})

describe('the queue of deliveries', () => {
  it.each(['sending', 'retrying'] as const)(
    'keeps messages of one subject to one endpoint in order, and has so many lanes of others: %s',
    async (queue) => {
      const { id: webhookId } = await register()
      const groupOf = (subject: string) => {
        const { id, type, at, data } = anEvent()
        const orderedAt = timestamp(deps.now())
        const write = deliveries.enqueue({
          id: newId('delivery'),
          webhookId,
          message: { id, type, subject, at, data },
          attempt: 1,
          orderedAt,
          dueAt: orderedAt,
          byHand: false,
          queue,
        })
        return 'put' in write ? write.put['subject'] : undefined
      }
      expect(groupOf('pay_1')).toBe(groupOf('pay_1'))
      const lanes = new Set(Array.from({ length: 200 }, (_, index) => groupOf(`pay_${index}`)))
      expect(lanes.size).toBe(LANES[queue])
    },
  )

  it('has workers for the lanes of every endpoint, of which none takes more than a fifth', async () => {
    const settings = await queueSettings()
    for (const [queue, { batch, concurrency }] of Object.entries(settings)) {
      const lanes = queue === 'sending' ? LANES.sending : LANES.retrying
      expect([batch, concurrency], queue).toEqual([1, lanes * WEBHOOKS_MAX])
      expect(lanes * 5, queue).toBeLessThanOrEqual(concurrency)
    }
    expect(settings.retrying.delaySeconds).toBe(backoffSeconds(1, 0))
  })
})

describe('a delivery to an endpoint whose last attempt failed', () => {
  const failing = async () => {
    const { id } = await register()
    answer = () => REFUSED
    await scheduleDeliveries(deps, anEvent())
    await sendDue()
    posts = []
    return id
  }
  const waitingFor = (id: WebhookId) => deliveries.due(id, at, 1000)

  it('waits until the endpoint accepts one, and is sent at once then', async () => {
    const id = await failing()
    await scheduleDeliveries(deps, anEvent())
    expect([await queuedFor(id), await waitingFor(id)]).toMatchObject([[], [{ attempt: 1 }]])
    answer = () => TAKEN
    later(5)
    await sendQueued()
    expect((await attemptsOf(id)).map(({ attempt, status }) => [attempt, status]).sort()).toEqual([
      [1, 200],
      [1, 500],
      [2, 200],
    ])
    expect(await waitingFor(id)).toEqual([])
  })

  it('is made within a minute also while the endpoint goes on failing', async () => {
    const id = await failing()
    await scheduleDeliveries(deps, anEvent())
    await runJob(queueDueDeliveriesSpec, { now: deps.now })
    expect(await queuedFor(id)).toMatchObject([{ attempt: 1, queue: 'retrying' }])
    await sendQueued()
    expect(posts).toHaveLength(1)
  })

  it('leaves the queue that it shares with those that succeed when it was there before', async () => {
    const { id } = await register()
    await Promise.all(Array.from({ length: 20 }, () => scheduleDeliveries(deps, anEvent())))
    answer = () => REFUSED
    await sendQueued()
    expect(posts).toHaveLength(1)
    expect(await waitingFor(id)).toHaveLength(19)
  })

  it('is sent at once when another attempt, which was made beside the failed one, succeeds', async () => {
    const { id } = await register()
    await scheduleDeliveries(deps, anEvent())
    const [first] = await queuedFor(id)
    if (!first) throw new Error('Nothing is queued')
    const failMeanwhile = async () => {
      await scheduleDeliveries(deps, anEvent())
      answer = () => REFUSED
      const [, second] = await queuedFor(id)
      if (second) await attemptDelivery(deps, second)
      await scheduleDeliveries(deps, anEvent())
    }
    const post = () => failMeanwhile().then(() => TAKEN)
    await handOut(first, { post })
    expect(await queuedFor(id)).toMatchObject([{ queue: 'sending' }])
  })

  it('is one of fifty at most in its queue, without those whose messages were lost an hour ago', async () => {
    const id = await failing()
    await Promise.all(Array.from({ length: 120 }, () => scheduleDeliveries(deps, anEvent())))
    later(5)
    const queueDue = () => runJob(queueDueDeliveriesSpec, { now: deps.now })
    expect(await queueDue()).toEqual({ queued: 49 })
    expect(await queuedFor(id)).toHaveLength(50)
    expect(await queueDue()).toEqual({ queued: 0 })
    later(3600 + 1)
    expect(await queueDue()).toEqual({ queued: 50 })
  })

  it('is queued although those of another endpoint cannot be, which is thrown then', async () => {
    const ids = [await failing(), await failing()]
    later(300)
    await scheduleDeliveries(deps, anEvent())
    const due: typeof deliveries.due = async (id, until, limit) => {
      if (id === ids[0]) throw new Error('The table does not answer')
      return deliveries.due(id, until, limit)
    }
    const broken = { ...deps, deliveries: { ...deliveries, due } }
    await expect(queueDueDeliveries(broken)).rejects.toThrow('does not answer')
    expect((await queuedForAll()).filter(({ attempt }) => attempt === 1)).toMatchObject([
      { webhookId: ids[1] },
    ])
  })

  it('is queued by one of two runs that find it', async () => {
    await failing()
    await scheduleDeliveries(deps, anEvent())
    const runs = await Promise.all([queueDueDeliveries(deps), queueDueDeliveries(deps)])
    expect(runs.map(({ queued }) => queued).sort()).toEqual([0, 1])
  })
})

describe('an endpoint', () => {
  it('is switched off when every attempt has failed for five days', async () => {
    const { id } = await register()
    answer = () => REFUSED
    const since = timestamp(at)
    for (let day = 0; day < 5; day += 1) {
      await scheduleDeliveries(deps, anEvent())
      await sendDue()
      expect(await standingOf(id)).toEqual(['ACTIVE', null, since])
      later(24 * 60 * 60)
    }
    await scheduleDeliveries(deps, anEvent())
    await sendDue()
    expect(await standingOf(id)).toEqual(['DISABLED', 'failing_for_five_days', since])
  })

  it('is not failing any more once an attempt succeeds', async () => {
    const { id } = await register()
    answer = () => REFUSED
    await scheduleDeliveries(deps, anEvent())
    await sendDue()
    answer = () => TAKEN
    await scheduleDeliveries(deps, anEvent())
    await sendDue()
    expect(await standingOf(id)).toEqual(['ACTIVE', null, null])
  })

  it('an endpoint that was switched off and on again gets the messages of that time by hand only', async () => {
    const { id } = await register()
    answer = () => REFUSED
    await scheduleDeliveries(deps, anEvent())
    await sendDue()
    await changeWebhook(deps, 'admin', id, { status: 'DISABLED' })
    later(1)
    await scheduleDeliveries(deps, anEvent())
    later(1)
    await changeWebhook(deps, 'admin', id, { status: 'ACTIVE' })
    answer = () => TAKEN
    posts = []
    later(24 * 60 * 60)
    await sendDue()
    expect(posts).toEqual([])
    const missed = (await attemptsOf(id)).filter(({ error }) => error === 'webhook_disabled')
    expect(missed).toHaveLength(2)
    for (const each of missed) await redeliver(deps, id, each.id)
    await sendDue()
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
      await sendDue()
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
    const queued = await queuedFor(id)
    await deleteWebhook(deps, 'admin', id)
    for (const each of queued) await handOut(each)
    expect(queued).toHaveLength(1)
    expect([posts, await queuedFor(id)]).toEqual([[], []])
  })
})

describe('the functions that send', () => {
  it('schedule what an event brings, send it, and send it again until it is taken', async () => {
    const { id } = await register()
    const event = anEvent()
    const item = { ...eventKey(event.id), kind: 'event', ...event }
    await deliveredTo(scheduleDeliveriesSpec, [changeOf(undefined, item)], { now: deps.now })
    answer = () => REFUSED
    await sendQueued()
    later(5)
    await sendQueued()
    answer = () => TAKEN
    later(300)
    await sendDue()
    await sendDue()
    expect((await attemptsOf(id)).map(({ status }) => status)).toEqual([200, 500, 500])
  })

  it('note what an event brings for an endpoint that fails or is off', async () => {
    const [failing, off] = [await register(), await register()]
    answer = () => REFUSED
    await scheduleDeliveries(deps, anEvent())
    await sendQueued()
    await changeWebhook(deps, 'admin', off.id, { status: 'DISABLED' })
    const event = anEvent()
    const item = { ...eventKey(event.id), kind: 'event', ...event }
    await deliveredTo(scheduleDeliveriesSpec, [changeOf(undefined, item)], { now: deps.now })
    expect(await deliveries.due(failing.id, at, 10)).toMatchObject([{ message: { id: event.id } }])
    expect(await attemptsOf(off.id)).toContainEqual(
      expect.objectContaining({ eventId: event.id, error: 'webhook_disabled' }),
    )
  })
})
