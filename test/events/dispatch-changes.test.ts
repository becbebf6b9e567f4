import { SQSClient } from '@aws-sdk/client-sqs'
import { marshall } from '@aws-sdk/util-dynamodb'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { spec as dispatch } from '#functions/jobs/dispatch-changes'
import { openChangeQueues } from '#lib/events/change-queues.sqs'
import { streamFilters } from '#lib/events/change-routes'
import { matchesPattern } from '#lib/local/events/filter-pattern'
import { type LocalServer, listenLocally } from '#lib/local/local-server'
import { runJob } from '#test/support/jobs'

type Entry = { Id: string; MessageBody: string; MessageGroupId: string; MessageDeduplicationId: string }
type Batch = { queue: string; entries: Entry[] }

/** What was sent, call by call; entries whose body holds one of `refused` are refused. */
let batches: Batch[]
let refused: string[]
let sqs: LocalServer

beforeAll(async () => {
  sqs = await listenLocally(0, async (request, response) => {
    const { QueueUrl, Entries } = JSON.parse(Buffer.concat(await request.toArray()).toString('utf8')) as {
      QueueUrl: string
      Entries: Entry[]
    }
    batches.push({ queue: QueueUrl.split('/').at(-1) ?? '', entries: Entries })
    const isRefused = ({ MessageBody }: Entry) => refused.some((text) => MessageBody.includes(text))
    const Failed = Entries.filter(isRefused).map(({ Id }) => ({ Id, Code: 'Throttled', SenderFault: false }))
    const Successful = Entries.filter((entry) => !isRefused(entry)).map(({ Id }) => ({ Id, MessageId: Id }))
    response.writeHead(200, { 'content-type': 'application/x-amz-json-1.0' })
    response.end(JSON.stringify({ Successful, Failed }))
  })
})
afterAll(() => sqs.stop())
beforeEach(() => {
  batches = []
  refused = []
})

const queue = (name: string) => `http://127.0.0.1:${sqs.port}/000000000000/${name}`
const none = { inserted: [], modified: [], removed: [] }
const routes = () => ({
  publishEvents: { ...none, queue: queue('events'), inserted: ['event'] },
  notify: { ...none, queue: queue('notify'), inserted: ['event'] },
  followListings: { ...none, queue: queue('listings'), modified: ['listing'], removed: ['listing'] },
})

let sequence = 0
const change = (eventName: string, pk: string, image: object) => {
  sequence += 1
  const images = eventName === 'REMOVE' ? { OldImage: marshall(image) } : { NewImage: marshall(image) }
  return {
    eventID: `event-${sequence}`,
    eventName,
    dynamodb: { SequenceNumber: `${sequence}`, Keys: marshall({ pk, sk: 'x' }), ...images },
  }
}

/** Dispatches changes through the real client of SQS. */
function dispatched(Records: object[]) {
  const client = new SQSClient({ endpoint: `http://127.0.0.1:${sqs.port}`, md5: false, maxAttempts: 1 })
  const deps = { routes: routes(), queues: openChangeQueues(client) }
  return runJob(dispatch, deps, { Records })
}

const bodiesTo = (name: string) =>
  batches
    .filter(({ queue }) => queue === name)
    .flatMap(({ entries }) => entries.map(({ MessageBody }) => MessageBody))

describe('a change of the table', () => {
  it('goes as it is to everyone who follows its kind and its way of changing, and to nobody else', async () => {
    const created = change('INSERT', 'EVENT#1', { kind: 'event', subject: 'usr_1' })
    const moved = change('MODIFY', 'LISTING#1', { kind: 'listing', title: 'A' })
    const drafted = change('INSERT', 'LISTING#2', { kind: 'listing', title: 'B' })
    const removed = change('REMOVE', 'LISTING#1', { kind: 'listing', title: 'A' })
    expect(await dispatched([created, moved, drafted, removed])).toEqual({ batchItemFailures: [] })

    expect(bodiesTo('events')).toEqual([JSON.stringify(created)])
    expect(bodiesTo('notify')).toEqual([JSON.stringify(created)])
    expect(bodiesTo('listings')).toEqual([moved, removed].map((each) => JSON.stringify(each)))
  })

  it('a change without a kind goes nowhere', async () => {
    await dispatched([change('INSERT', 'EVENT#1', { title: 'no kind' })])
    expect(batches).toEqual([])
  })

  it('is in order with others of its subject: the one it names, else its partition', async () => {
    const events = ['usr_1', 'usr_2', 'usr_1'].map((subject, index) =>
      change('INSERT', `EVENT#${index}`, { kind: 'event', subject }),
    )
    await dispatched([...events, change('MODIFY', 'LISTING#1', { kind: 'listing' })])
    const groups = batches
      .filter(({ queue }) => queue === 'events')
      .map(({ entries }) => entries.map(({ MessageGroupId }) => MessageGroupId))
    // No call holds two of one subject, since either may be refused alone.
    expect(groups.map((each) => each.length)).toEqual([2, 1])
    expect(groups[0]?.[0]).toBe(groups[1]?.[0])
    expect(groups[0]?.[1]).not.toBe(groups[0]?.[0])
  })

  it('is known by its id, so that one dispatched twice is delivered once', async () => {
    const created = change('INSERT', 'EVENT#1', { kind: 'event', subject: 'usr_1' })
    await dispatched([created])
    await dispatched([created])
    const ids = batches.flatMap(({ entries }) => entries.map((entry) => entry.MessageDeduplicationId))
    expect(new Set(ids).size).toBe(1)
  })

  it('a change that a queue refuses comes again with all later ones, and no later one of its subject is sent', async () => {
    refused = ['the second']
    const changes = [
      change('INSERT', 'EVENT#1', { kind: 'event', subject: 'usr_1', text: 'the first' }),
      change('INSERT', 'EVENT#2', { kind: 'event', subject: 'usr_2', text: 'the second' }),
      change('INSERT', 'EVENT#3', { kind: 'event', subject: 'usr_2', text: 'the third' }),
    ]
    expect(await dispatched(changes)).toEqual({
      batchItemFailures: [{ itemIdentifier: changes[1]?.dynamodb.SequenceNumber }],
    })
    expect(bodiesTo('events').some((body) => body.includes('the third'))).toBe(false)
  })

  it('is one of many: calls hold ten messages at most', async () => {
    const events = Array.from({ length: 25 }, (_, index) =>
      change('INSERT', `EVENT#${index}`, { kind: 'event', subject: `usr_${index}` }),
    )
    await dispatched(events)
    const sizes = batches.filter(({ queue }) => queue === 'events').map(({ entries }) => entries.length)
    expect(sizes).toEqual([10, 10, 5])
  })
})

describe('the filters of the table’s stream', () => {
  const matches = (record: object) =>
    streamFilters(Object.values(routes())).some((pattern) => matchesPattern(record, pattern))

  it('let through what anybody follows, and nothing else', () => {
    expect(matches(change('INSERT', 'EVENT#1', { kind: 'event' }))).toBe(true)
    expect(matches(change('REMOVE', 'LISTING#1', { kind: 'listing' }))).toBe(true)
    expect(matches(change('MODIFY', 'EVENT#1', { kind: 'event' }))).toBe(false)
    expect(matches(change('INSERT', 'SEARCH#1', { kind: 'search-entry' }))).toBe(false)
  })
})
