import * as z from 'zod'
import type { Job } from './event-sources.ts'
import type { Invoke } from './invoke.ts'
import type { QueuedMessage, QueueStore } from './queue-store.ts'

export type QueueMapping = {
  job: Job
  /** The queue is named as its function. */
  queue: string
  /** The largest number of messages in an invocation. */
  batchSize: number
  /** The number of attempts after which a message becomes a dead letter. */
  attempts: number
  /** The largest number of simultaneous invocations. */
  concurrency: number
  store: QueueStore
  invoke: Invoke
  /** Receives a short line about each delivery. */
  report: (line: string) => void
  signal: AbortSignal
}

const POLL_MILLISECONDS = 250
const BACK_OFF_MILLISECONDS = { first: 250, longest: 10_000 }
/** The most workers of a queue. Each makes one invocation at a time, and a developer's machine has few cores. */
const MOST_WORKERS = 4

/**
 * Delivers a queue's messages to its function as Lambda does: in order within a group, groups at the same time, and
 * each message until it succeeds or has failed `attempts` times. Ends when the signal aborts.
 */
export async function followQueue(mapping: QueueMapping): Promise<void> {
  const workers = Math.min(mapping.concurrency, MOST_WORKERS)
  await Promise.all(Array.from({ length: workers }, () => work(mapping)))
}

async function work(mapping: QueueMapping): Promise<void> {
  const { store, queue, batchSize, signal } = mapping
  while (!signal.aborted) {
    const batch = store.receive(queue, batchSize)
    if (batch.length > 0) await deliver(mapping, batch)
    else await store.awaitMessage(queue, POLL_MILLISECONDS)
  }
}

const Answer = z.object({ batchItemFailures: z.array(z.object({ itemIdentifier: z.unknown() })) })

async function deliver({ job, store, invoke, report, attempts }: QueueMapping, batch: QueuedMessage[]) {
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
