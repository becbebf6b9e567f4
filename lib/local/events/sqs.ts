import { createHash } from 'node:crypto'
import { json } from 'node:stream/consumers'
import * as z from 'zod'
import type { LocalRoute } from '../gateway/gateway.ts'
import type { QueueStore } from './queue-store.ts'

/** Where the local stack's queues answer, below the gateway's address; `/<name>` after it is a queue's address. */
export const QUEUES_PATH = '/local/sqs'

/** Returns the address of a function's queue, where queues answer at `endpoint`. */
export const queueAddress = (endpoint: string, job: string): string => `${endpoint}/${job}`

const SendMessageBatch = z.object({
  QueueUrl: z.url(),
  Entries: z.array(
    z.object({
      Id: z.string(),
      MessageBody: z.string(),
      MessageGroupId: z.string().optional(),
      MessageDeduplicationId: z.string().optional(),
    }),
  ),
})

/**
 * Serves the part of Amazon SQS's JSON protocol that the service uses. In addition, a `GET` counts the dead letters by
 * queue, and a `POST` to `/<queue>/redrive` moves a queue's dead letters back. A route also takes the paths below its own.
 */
export const queueRoutes = (store: QueueStore): LocalRoute[] => [
  {
    method: 'POST',
    path: QUEUES_PATH,
    handle: async (request, response, url) => {
      const redriven = /\/([^/]+)\/redrive$/.exec(url.pathname)?.[1]
      const answer = redriven ? { moved: store.redrive(redriven) } : sendBatch(store, await json(request))
      response.writeHead(200, { 'content-type': 'application/x-amz-json-1.0' })
      response.end(JSON.stringify(answer))
    },
  },
  {
    method: 'GET',
    path: QUEUES_PATH,
    handle: (_request, response) => void response.end(JSON.stringify(store.dead())),
  },
]

function sendBatch(store: QueueStore, body: unknown) {
  const { QueueUrl, Entries } = SendMessageBatch.parse(body)
  const queue = QueueUrl.slice(QueueUrl.lastIndexOf('/') + 1)
  const Successful = Entries.map(({ Id, MessageBody, MessageGroupId, MessageDeduplicationId }) => ({
    Id,
    MessageId: store.send(queue, {
      body: MessageBody,
      group: MessageGroupId,
      deduplicationId: MessageDeduplicationId,
    }),
    // The SDK compares this hash with that of the body it sent.
    MD5OfMessageBody: createHash('md5').update(MessageBody).digest('hex'),
  }))
  return { Successful, Failed: [] }
}
