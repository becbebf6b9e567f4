import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { Changes } from '#lib/local/events/event-sources'
import type { Outcome } from '#lib/local/events/invoke'
import { followQueue } from '#lib/local/events/queue-mapping'
import { openQueues, type QueueStore } from '#lib/local/events/queue-store'

const QUEUE = 'onNote'
const ENOUGH_MILLISECONDS = 20_000

let directory: string
let store: QueueStore
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'queues-'))
  store = openQueues(directory)
})
afterEach(async () => {
  store.close()
  await rm(directory, { recursive: true })
})

/** Follows the queue with a function that never answers for some messages. Returns what it was invoked with. */
function follow(settings: object, hangs: (body: string) => boolean) {
  const invoked: string[][] = []
  const ending = new AbortController()
  const hung = Promise.withResolvers<Outcome>()
  const following = followQueue({
    job: { name: QUEUE, functionName: QUEUE },
    source: Changes.parse({ inserted: ['note'], ...settings }),
    store,
    invoke: async (_job, event) => {
      const bodies = (event as { Records: { body: string }[] }).Records.map(({ body }) => body)
      invoked.push(bodies)
      return bodies.some(hangs) ? hung.promise : { isOk: true, result: { batchItemFailures: [] } }
    },
    report: () => undefined,
    signal: ending.signal,
  })
  const stop = () => {
    ending.abort()
    hung.resolve({ isOk: true, result: null })
    return following
  }
  return { invoked, stop }
}

describe('a queue with one message an invocation', () => {
  it('hands out a group that hangs once, and every message of the others meanwhile', async () => {
    for (const index of [1, 2, 3]) {
      store.send(QUEUE, { body: `dead ${index}`, group: 'dead' })
      store.send(QUEUE, { body: `good ${index}`, group: 'good' })
    }
    const { invoked, stop } = follow({ batch: 1 }, (body) => body.startsWith('dead'))
    await vi.waitFor(() => expect(invoked).toHaveLength(4), ENOUGH_MILLISECONDS)
    expect(invoked).toEqual([['dead 1'], ['good 1'], ['good 2'], ['good 3']])
    await stop()
  })

  it('invokes its function for as many messages at once as when deployed', async () => {
    const groups = Array.from({ length: 21 }, (_, index) => `group ${index}`)
    for (const group of groups) store.send(QUEUE, { body: group, group })
    const { invoked, stop } = follow({ batch: 1, concurrency: 20 }, () => true)
    await vi.waitFor(() => expect(invoked).toHaveLength(20), ENOUGH_MILLISECONDS)
    const left = store.receive(QUEUE, { limit: 10, delayMilliseconds: 0 })
    expect(left.map(({ body }) => body)).toEqual(['group 20'])
    await stop()
  })
})

it('A queue with a delay hands out no message before it has passed.', () => {
  store.send(QUEUE, { body: 'waits' })
  expect(store.receive(QUEUE, { limit: 1, delayMilliseconds: 900_000 })).toEqual([])
  expect(store.receive(QUEUE, { limit: 1, delayMilliseconds: 0 })).toMatchObject([{ body: 'waits' }])
})
