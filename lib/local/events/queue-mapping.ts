import * as z from 'zod'
import type { ChangesSource, Job, ObjectSource } from './event-sources.ts'
import type { Invoke } from './invoke.ts'
import type { QueuedMessage, QueueStore } from './queue-store.ts'

type QueueMapping = {
  /** The queue is named as its function. */
  job: Job
  source: ChangesSource | ObjectSource
  store: QueueStore
  invoke: Invoke
  /** Receives a short line about each delivery. */
  report: (line: string) => void
  signal: AbortSignal
}

const POLL_MILLISECONDS = 250
const BACK_OFF_MILLISECONDS = { first: 250, longest: 10_000 }
/** The most objects that a function works on at once: each takes a core, of which a developer's machine has few. */
const MOST_OBJECTS = 4

/**
 * Delivers a queue's messages to its function as Lambda does: in order within a group, groups at the same time, and
 * each message until it succeeds or has failed `attempts` times. Ends when the signal aborts.
 */
export async function followQueue(mapping: QueueMapping): Promise<void> {
  const { job, source, store, signal } = mapping
  const most = 'bucket' in source ? Math.min(source.concurrency, MOST_OBJECTS) : source.concurrency
  const running = new Set<Promise<void>>()
  while (!signal.aborted) {
    const limit = running.size < most ? source.batch : 0
    const batch = store.receive(job.name, { limit, delayMilliseconds: source.delaySeconds * 1000 })
    if (batch.length === 0) {
      await Promise.race([store.awaitMessage(job.name, POLL_MILLISECONDS), ...running])
    } else {
      const delivery = deliver(mapping, batch).finally(() => running.delete(delivery))
      running.add(delivery)
    }
  }
  await Promise.all(running)
}

const Answer = z.object({ batchItemFailures: z.array(z.object({ itemIdentifier: z.unknown() })) })

async function deliver({ job, source, store, invoke, report }: QueueMapping, batch: QueuedMessage[]) {
  const { attempts } = source
  const outcome = await invoke(job, { Records: batch.map(recordOf) })
  const answer = Answer.safeParse(outcome.isOk ? outcome.result : undefined)
  const failed = new Set(answer.data?.batchItemFailures.map(({ itemIdentifier }) => itemIdentifier))
  // A failed invocation leaves the whole batch; an answer of another form leaves no message.
  const left = outcome.isOk ? batch.filter(({ id }) => failed.has(id)) : batch
  for (const message of batch) {
    if (!left.includes(message)) store.remove(message.id)
    else if (message.attempt >= attempts) store.bury(message.id)
    else store.retryAfter(message.id, backOff(message.attempt))
  }
  const done = batch.length - left.length
  const buried = left.filter(({ attempt }) => attempt >= attempts).length
  report(`${job.name}: ${left.length === 0 ? '' : `${done} of `}${batch.length} ${plural(batch.length)}`)
  if (buried > 0) report(`${job.name}: gave up on ${buried} ${plural(buried)}`)
}

const plural = (count: number): string => (count === 1 ? 'message' : 'messages')

const backOff = (attempt: number): number =>
  Math.min(BACK_OFF_MILLISECONDS.first * 2 ** (attempt - 1), BACK_OFF_MILLISECONDS.longest)

/** @see https://docs.aws.amazon.com/lambda/latest/dg/with-sqs.html */
const recordOf = ({ id, body, group, attempt, sentAt }: QueuedMessage) => ({
  messageId: id,
  receiptHandle: id,
  body,
  attributes: {
    ApproximateReceiveCount: `${attempt}`,
    SentTimestamp: `${sentAt}`,
    ...(group !== null && { MessageGroupId: group }),
  },
  messageAttributes: {},
  eventSource: 'aws:sqs',
})
