import { type ChangeName, type ChangeRoutes, imageOf, queuesFor } from './change-routes.ts'

/** A change as the table's stream delivers it. Of the item only kind and subject are read here. */
type StreamedChange = {
  eventID?: string | undefined
  eventName?: ChangeName | undefined
  dynamodb?: StreamImages | undefined
}
type StreamImages = {
  SequenceNumber?: string | undefined
  Keys?: StreamImage | undefined
  OldImage?: StreamImage | undefined
  NewImage?: StreamImage | undefined
}
type StreamImage = Record<string, { S?: string | undefined }>

/** A change on its way to one queue. */
export type ChangeMessage = {
  queue: string
  /** Messages of one subject are delivered in the order in which they were sent. */
  subject: string
  /** A message sent twice within five minutes is delivered once. */
  id: string
  body: string
}

/** Sends messages. Returns those that were not sent: rejected messages, and later ones of the same subject. */
export type ChangeQueues = {
  send: (messages: readonly ChangeMessage[]) => Promise<ReadonlySet<ChangeMessage>>
}

type Deps = { queues: ChangeQueues; routes: ChangeRoutes }

/**
 * Sends each change of a batch to the queues of the functions that follow it, for each subject in the order of the
 * batch. Returns the first change that a queue rejected: the stream delivers this change and all later ones again.
 */
export async function dispatchChanges({ queues, routes }: Deps, changes: readonly StreamedChange[]) {
  const messages = changes.map((change) => messagesOf(change, routes))
  const refused = await queues.send(messages.flat())
  const first = messages.findIndex((each) => each.some((message) => refused.has(message)))
  const itemIdentifier = changes[first]?.dynamodb?.SequenceNumber
  return { batchItemFailures: itemIdentifier === undefined ? [] : [{ itemIdentifier }] }
}

function messagesOf(change: StreamedChange, routes: ChangeRoutes): ChangeMessage[] {
  const { eventName: name, eventID, dynamodb } = change
  const image = name && dynamodb?.[imageOf(name)]
  const kind = image?.['kind']?.S
  if (name === undefined || kind === undefined) return []
  const subject = image?.['subject']?.S ?? dynamodb?.Keys?.['pk']?.S ?? ''
  const id = eventID ?? dynamodb?.SequenceNumber ?? ''
  const body = JSON.stringify(change)
  return queuesFor(routes, name, kind).map((queue) => ({ queue, subject, id, body }))
}
