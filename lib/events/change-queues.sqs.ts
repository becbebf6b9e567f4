import { SendMessageBatchCommand, SQSClient } from '@aws-sdk/client-sqs'
import { dependency } from '#lib/config/config'
import { sha256 } from '#lib/kernel/signatures'
import type { ChangeRoutes } from './change-routes.ts'
import type { ChangeMessage, ChangeQueues } from './dispatch-changes.ts'

/** SQS takes at most ten messages and 1 MiB a call; `MOST_BYTES` is rounded down. */
const MOST_MESSAGES = 10
const MOST_BYTES = 1_000_000

/** The kinds of changes that each function follows, and the queue of the function. */
export const changeRoutes = dependency(['CHANGE_ROUTES'], ({ CHANGE_ROUTES }): ChangeRoutes => CHANGE_ROUTES)

/** The queues of all functions that follow changes. */
export const changeQueues = dependency([], (): ChangeQueues => openChangeQueues(new SQSClient({})))

/** Opens FIFO queues of SQS. Each subject is a message group, so that its messages stay in order. */
export const openChangeQueues = (client: SQSClient): ChangeQueues => ({
  send: async (messages) => {
    const queues = [...Map.groupBy(messages, ({ queue }) => queue).values()]
    const refused = await Promise.all(queues.map((each) => sendInOrder(client, each)))
    return new Set(refused.flat())
  },
})

/**
 * Sends messages to one queue in batches, and returns those that were not sent. SQS may refuse a single message of a
 * batch. So a batch holds one message of each subject, and after a refused one the subject's later messages are not sent.
 */
async function sendInOrder(client: SQSClient, messages: readonly ChangeMessage[]): Promise<ChangeMessage[]> {
  const refused: ChangeMessage[] = []
  let left = [...messages]
  while (left.length > 0) {
    const batch = nextBatch(left)
    left = left.filter((message) => !batch.includes(message))
    const refusedNow = await sendBatch(client, batch)
    const subjects = new Set(refusedNow.map(({ subject }) => subject))
    refused.push(...refusedNow, ...left.filter(({ subject }) => subjects.has(subject)))
    left = left.filter(({ subject }) => !subjects.has(subject))
  }
  return refused
}

function nextBatch(messages: readonly ChangeMessage[]): ChangeMessage[] {
  const batch: ChangeMessage[] = []
  let bytes = 0
  const subjects = new Set<string>()
  for (const message of messages) {
    bytes += Buffer.byteLength(message.body)
    const isFull = batch.length === MOST_MESSAGES || bytes > MOST_BYTES
    if (batch.length > 0 && (isFull || subjects.has(message.subject))) break
    batch.push(message)
    subjects.add(message.subject)
  }
  return batch
}

async function sendBatch(client: SQSClient, batch: readonly ChangeMessage[]): Promise<ChangeMessage[]> {
  const [first] = batch
  if (!first) return []
  const Entries = batch.map(({ subject, id, body }, index) => ({
    Id: `${index}`,
    MessageBody: body,
    MessageGroupId: digest(subject),
    MessageDeduplicationId: digest(id),
  }))
  const { Failed = [] } = await client.send(new SendMessageBatchCommand({ QueueUrl: first.queue, Entries }))
  const failed = new Set(Failed.map(({ Id }) => Id))
  return batch.filter((_message, index) => failed.has(`${index}`))
}

/** SQS accepts 128 letters, digits and signs as the name of a group; a subject may be any text. */
const digest = (text: string): string => sha256(text, 'base64url')
