import { describe, expect, it } from 'vitest'
import { consumer, type MessageDelivery } from '#lib/http/consumer'
import { serveJob } from '#lib/http/job'
import { LAMBDA_CONTEXT } from '#test/support/lambda-context'
import { sqsEvent } from '#test/support/stream'

/** Delivers messages to a consumer that fails on those named; says what it did and what the queue is told. */
async function delivered(messages: { body: string; subject?: string }[], failing: readonly string[]) {
  const done: string[] = []
  const { spec } = consumer({
    name: 'trial',
    summary: 'Notes the messages that it is given',
    deps: {},
    read: (body) => {
      if (body === 'unreadable') throw new SyntaxError('This cannot be read')
      return body
    },
    run: async (body) => {
      if (failing.includes(body)) throw new Error(`${body} cannot be done`)
      done.push(body)
      return `did ${body}`
    },
  })
  const deliveries: MessageDelivery[] = []
  const report = (delivery: MessageDelivery) => void deliveries.push(delivery)
  const answer = await serveJob(spec, { report })(sqsEvent(messages), LAMBDA_CONTEXT)
  return { done, answer, deliveries }
}

const messages = (...subjects: string[]) =>
  subjects.map((subject, index) => ({ body: `${subject}-${index}`, subject }))
const failures = (...indexes: number[]) => ({
  batchItemFailures: indexes.map((index) => ({ itemIdentifier: `message-${index}` })),
})

describe('a batch of messages', () => {
  it('is acted on in order for each subject', async () => {
    const { done, answer } = await delivered(messages('a', 'a', 'a'), [])
    expect({ done, answer }).toEqual({ done: ['a-0', 'a-1', 'a-2'], answer: failures() })
  })

  it('comes again from the first that failed, of its subject alone', async () => {
    const { done, answer } = await delivered(messages('a', 'b', 'a', 'b', 'a'), ['a-2'])
    expect(done.sort()).toEqual(['a-0', 'b-1', 'b-3'])
    expect(answer).toEqual(failures(2, 4))
  })

  it('a message without a subject comes again alone when it fails', async () => {
    const { done, answer } = await delivered([{ body: 'one' }, { body: 'two' }, { body: 'three' }], ['one'])
    expect({ done, answer }).toEqual({ done: ['two', 'three'], answer: failures(0) })
  })

  it('is not held up by a message that cannot be read', async () => {
    const { done, answer } = await delivered([{ body: 'unreadable' }, { body: 'two' }], [])
    expect({ done, answer }).toEqual({ done: ['two'], answer: failures(0) })
  })
})

describe('a batch at the end of its function’s time', () => {
  it('returns what hangs and what waits behind it, and keeps what was done', async () => {
    const { spec } = consumer({
      name: 'trial',
      summary: 'Hangs on the messages that say so',
      deps: {},
      read: (body) => body,
      run: (body) => (body.startsWith('hang') ? new Promise(() => {}) : Promise.resolve(body)),
    })
    const event = sqsEvent([
      { body: 'quick', subject: 'a' },
      { body: 'hang', subject: 'b' },
      { body: 'behind', subject: 'b' },
      { body: 'also quick', subject: 'c' },
    ])
    const context = { ...LAMBDA_CONTEXT, getRemainingTimeInMillis: () => 2_050 }
    const answer = await serveJob(spec, { report: () => undefined })(event, context)
    expect(answer).toEqual(failures(1, 2))
  })
})

describe('a message', () => {
  it('is reported with what came of it, a failure with its cause', async () => {
    const { deliveries } = await delivered([{ body: 'one' }, { body: 'two' }], ['two'])
    expect(deliveries).toEqual([
      expect.objectContaining({
        consumer: 'trial',
        messageId: 'message-0',
        attempt: 1,
        outcome: { result: 'did one' },
      }),
      expect.objectContaining({
        messageId: 'message-1',
        outcome: { error: new Error('two cannot be done') },
      }),
    ])
  })
})
