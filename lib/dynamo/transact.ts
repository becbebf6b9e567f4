import { setTimeout as sleep } from 'node:timers/promises'
import {
  ConditionalCheckFailedException,
  DeleteItemCommand,
  type DynamoDBClient,
  PutItemCommand,
  TransactionCanceledException,
  type TransactWriteItem,
  TransactWriteItemsCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb'
import { type Commit, type Write, WriteConflict } from '../kernel/write.ts'
import { expressionWriter } from './expression.ts'
import { marshalled } from './item.ts'

const ATTEMPTS = 5
const FIRST_PAUSE_MILLISECONDS = 20

/**
 * The one way in which state changes. See `Commit` for what is guaranteed. One write alone goes as a plain
 * conditional write, at half the cost of a transaction.
 */
export const committer =
  (
    client: () => DynamoDBClient,
    tableName: string,
    pause: (milliseconds: number) => Promise<unknown> = sleep,
  ): Commit =>
  async (writes) => {
    const items = writes.map((write) => toItem(write, tableName))
    for (let attempt = 1; ; attempt += 1) {
      try {
        await send(client(), items)
        return
      } catch (error) {
        if (!isConflict(error)) throw refusalOf(writes, error)
        if (attempt === ATTEMPTS) throw lost(error)
        await pause(FIRST_PAUSE_MILLISECONDS * 2 ** attempt * Math.random())
      }
    }
  }

async function send(client: DynamoDBClient, items: TransactWriteItem[]): Promise<void> {
  const [only, ...others] = items
  if (only === undefined) return
  if (others.length > 0 || only.ConditionCheck) {
    await client.send(new TransactWriteItemsCommand({ TransactItems: items }))
  } else if (only.Put) {
    await client.send(new PutItemCommand(only.Put))
  } else if (only.Update) {
    await client.send(new UpdateItemCommand(only.Update))
  } else if (only.Delete) {
    await client.send(new DeleteItemCommand(only.Delete))
  }
}

/** What a failed condition means to the first write that has one; any other error is itself. */
function refusalOf(writes: readonly Write[], error: unknown): unknown {
  const failed = failedWrite(error)
  if (failed === undefined) return error
  return writes[failed]?.otherwise?.() ?? lost(error)
}

const lost = (cause: unknown) => new WriteConflict('Another writer was faster', { cause })

/** Which write's condition failed, by its place; undefined when that is not what went wrong. */
function failedWrite(error: unknown): number | undefined {
  if (error instanceof ConditionalCheckFailedException) return 0
  if (!(error instanceof TransactionCanceledException)) return undefined
  const place = (error.CancellationReasons ?? []).findIndex(
    (reason) => reason.Code === 'ConditionalCheckFailed',
  )
  return place === -1 ? undefined : place
}

function isConflict(error: unknown): boolean {
  if (error instanceof TransactionCanceledException) {
    const codes = (error.CancellationReasons ?? []).map((reason) => reason.Code)
    return codes.includes('TransactionConflict') && !codes.includes('ConditionalCheckFailed')
  }
  return (
    error instanceof Error &&
    ['TransactionConflictException', 'TransactionInProgressException'].includes(error.name)
  )
}

function toItem(write: Write, TableName: string): TransactWriteItem {
  const writer = expressionWriter()
  const condition = write.when && { ConditionExpression: writer.condition(write.when) }
  if ('put' in write) {
    return { Put: { TableName, Item: marshalled(write.put), ...condition, ...writer.placeholders() } }
  }
  if ('update' in write) {
    const UpdateExpression = writer.update(write.set, write.remove ?? [], write.add ?? {})
    return {
      Update: {
        TableName,
        Key: marshalled(write.update),
        UpdateExpression,
        ...condition,
        ...writer.placeholders(),
      },
    }
  }
  if ('remove' in write) {
    return { Delete: { TableName, Key: marshalled(write.remove), ...condition, ...writer.placeholders() } }
  }
  const ConditionExpression = condition?.ConditionExpression ?? writer.condition('present')
  return {
    ConditionCheck: {
      TableName,
      Key: marshalled(write.check),
      ConditionExpression,
      ...writer.placeholders(),
    },
  }
}
