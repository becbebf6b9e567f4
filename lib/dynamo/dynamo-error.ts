import type { AttributeValue, CancellationReason } from '@aws-sdk/client-dynamodb'
import { readAnswer } from './request.ts'

type Details = {
  message?: string
  Item?: Record<string, AttributeValue>
  CancellationReasons?: CancellationReason[]
}

/** A refusal or a fault that DynamoDB answered with, by its own name. The properties are spelt as in the SDK's errors. */
export class DynamoError extends Error {
  readonly $metadata: { httpStatusCode: number; attempts: number }
  /** The stored item that did not meet a condition. */
  readonly Item: Record<string, AttributeValue> | undefined
  /** The outcome of each write of a transaction, in the order of the writes. */
  readonly CancellationReasons: CancellationReason[]

  constructor(name: string, details: Details = {}, $metadata = { httpStatusCode: 400, attempts: 1 }) {
    super(details.message ?? name)
    this.name = name
    this.$metadata = $metadata
    this.Item = details.Item
    this.CancellationReasons = details.CancellationReasons ?? []
  }
}

/** Reads the error in an answer. A proxy before DynamoDB may answer something else than JSON. */
export function readError(text: string, $metadata: DynamoError['$metadata']): DynamoError {
  const { __type, Message, ...details } = text.startsWith('{') ? readAnswer<Answer>(text) : {}
  const unnamed = $metadata.httpStatusCode >= 500 ? 'InternalServerError' : 'UnknownError'
  const name = __type?.replace(/^.*#/, '') ?? unnamed
  return new DynamoError(name, { ...(Message !== undefined && { message: Message }), ...details }, $metadata)
}

/** DynamoDB spells the text `message` or `Message`, depending on the error. */
type Answer = Details & { __type?: string; Message?: string }

export const isRefusedCondition = (error: unknown): error is DynamoError =>
  error instanceof DynamoError && error.name === 'ConditionalCheckFailedException'

export const isCancelled = (error: unknown): error is DynamoError =>
  error instanceof DynamoError && error.name === 'TransactionCanceledException'
