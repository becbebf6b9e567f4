import { randomUUID } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import {
  type AttributeValue,
  ConditionalCheckFailedException,
  DynamoDBServiceException,
  TransactionCanceledException,
  TransactionConflictException,
  TransactionInProgressException,
} from '@aws-sdk/client-dynamodb'
import { unmarshall } from '@aws-sdk/util-dynamodb'
import { retry, type Sleep } from '../kernel/retry.ts'
import { valueAt } from '../kernel/value-at.ts'
import { type Commit, type Write, WriteConflict } from '../kernel/write.ts'
import type { DynamoClient } from './client.ts'
import { marshalled, writeItem } from './item.ts'

/**
 * The one way in which state changes. See `Commit` for what is guaranteed. A transaction that is repeated after a lost
 * answer carries the first token, so that DynamoDB does it once; a plain write that is found stored is a success.
 */
export const committer =
  (client: DynamoClient, tableName: string, sleep?: Sleep): Commit =>
  async (writes) => {
    let token = randomUUID()
    let mayBeDone = false
    const attempt = () => send(client, tableName, writes, token)
    const mayPass = (error: unknown) => {
      const outcome = outcomeOf(error)
      // Once an answer was lost, the transaction may have been carried out: a new token would repeat it.
      mayBeDone ||= outcome === 'running' || wasRepeated(error)
      // A transaction that was surely cancelled is over: the next attempt is another, with a token of its own.
      if (!mayBeDone) token = randomUUID()
      return outcome !== 'failed'
    }
    await retry(attempt, mayPass, sleep).catch((error: unknown) => {
      throw refusalOf(writes, error)
    })
  }

async function send(
  client: DynamoClient,
  tableName: string,
  writes: readonly Write[],
  token: string,
): Promise<void> {
  const [only, ...others] = writes
  if (only === undefined) return
  if (others.length === 0 && isPlain(only)) return sendPlain(client, tableName, only)
  const TransactItems = writes.map((write) => writeItem(write, tableName))
  await client.send('TransactWriteItems', { TransactItems, ClientRequestToken: token })
}

async function sendPlain(client: DynamoClient, tableName: string, write: Write): Promise<void> {
  const { Put, Update, Delete } = writeItem(write, tableName)
  const withStoredItem = { ReturnValuesOnConditionCheckFailure: 'ALL_OLD' } as const
  try {
    if (Put) await client.send('PutItem', { ...Put, ...withStoredItem })
    // An update that changes no attribute is not sent, such as ending the sessions of an account without any: its condition
    // would guard no change.
    if (Update?.UpdateExpression) await client.send('UpdateItem', { ...Update, ...withStoredItem })
    if (Delete) await client.send('DeleteItem', { ...Delete, ...withStoredItem })
  } catch (error) {
    const isOwn =
      error instanceof ConditionalCheckFailedException && wasRepeated(error) && isAsWritten(write, error.Item)
    if (!isOwn) throw error
  }
}

/** Whether the client itself has sent a request more than once, since its answer was lost. */
const wasRepeated = (error: unknown): boolean =>
  error instanceof DynamoDBServiceException && (error.$metadata.attempts ?? 1) > 1

/**
 * Whether a write may go as a plain write, at half the cost of a transaction: repeating it is harmless, or the stored
 * item shows that it happened.
 */
const isPlain = (write: Write): boolean => {
  if ('check' in write) return false
  if ('remove' in write) return write.when === undefined
  return 'put' in write || Object.keys(write.add ?? {}).length === 0
}

/** Whether the stored item equals the result of this write. */
function isAsWritten(write: Write, stored: Record<string, AttributeValue> | undefined): boolean {
  if (!stored) return false
  const item: unknown = unmarshall(stored)
  if ('put' in write) return isDeepStrictEqual(item, unmarshall(marshalled(write.put)))
  if (!('update' in write)) return false
  const isSet = Object.entries(unmarshall(marshalled(write.set))).every(([path, value]) =>
    isDeepStrictEqual(valueAt(item, path), value),
  )
  return isSet && (write.remove ?? []).every((path) => valueAt(item, path) === undefined)
}

/**
 * Returns the result of an attempt: it failed; it was cancelled by others or a busy table, and may be repeated; or it is
 * still running after its first answer was lost.
 */
function outcomeOf(error: unknown): 'failed' | 'cancelled' | 'running' {
  if (error instanceof TransactionCanceledException) {
    const codes = (error.CancellationReasons ?? []).map(({ Code = 'None' }) => Code)
    const mayPass = codes.some((code) => TRANSIENT.has(code)) && !codes.includes('ConditionalCheckFailed')
    return mayPass ? 'cancelled' : 'failed'
  }
  if (error instanceof TransactionInProgressException) return 'running'
  return error instanceof TransactionConflictException ? 'cancelled' : 'failed'
}

const TRANSIENT = new Set(['TransactionConflict', 'ThrottlingError', 'ProvisionedThroughputExceeded'])

/** Returns the failure that a failed condition means to its write; any other error is returned unchanged. */
function refusalOf(writes: readonly Write[], error: unknown): unknown {
  const failed = failedWrite(error)
  if (failed === undefined) return error
  // A transaction does not ask for the stored item, so `otherwise` receives it only after a plain write.
  const stored =
    error instanceof ConditionalCheckFailedException && error.Item ? unmarshall(error.Item) : undefined
  const meant = writes[failed]?.otherwise?.(stored)
  return meant ?? new WriteConflict('Another writer was faster', { cause: error })
}

/** Returns the place of the write whose condition failed; undefined for any other failure. */
function failedWrite(error: unknown): number | undefined {
  if (error instanceof ConditionalCheckFailedException) return 0
  if (!(error instanceof TransactionCanceledException)) return undefined
  const place = (error.CancellationReasons ?? []).findIndex(({ Code }) => Code === 'ConditionalCheckFailed')
  return place === -1 ? undefined : place
}
