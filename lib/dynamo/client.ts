import * as sdk from '@aws-sdk/client-dynamodb'
import { awsSettings, credentials, inLambda } from '#lib/config/config'
import { retry } from '#lib/kernel/retry'

/** The operations of the table with what they take and answer. */
type Operations = {
  GetItem: [sdk.GetItemCommandInput, sdk.GetItemCommandOutput]
  BatchGetItem: [sdk.BatchGetItemCommandInput, sdk.BatchGetItemCommandOutput]
  Query: [sdk.QueryCommandInput, sdk.QueryCommandOutput]
  PutItem: [sdk.PutItemCommandInput, sdk.PutItemCommandOutput]
  UpdateItem: [sdk.UpdateItemCommandInput, sdk.UpdateItemCommandOutput]
  DeleteItem: [sdk.DeleteItemCommandInput, sdk.DeleteItemCommandOutput]
  BatchWriteItem: [sdk.BatchWriteItemCommandInput, sdk.BatchWriteItemCommandOutput]
  TransactWriteItems: [sdk.TransactWriteItemsCommandInput, sdk.TransactWriteItemsCommandOutput]
}

/** Sends requests to DynamoDB. Errors are the SDK's. */
export type DynamoClient = {
  send: <Name extends keyof Operations>(
    operation: Name,
    input: Operations[Name][0],
  ) => Promise<Operations[Name][1]>
}

const COMMANDS: Record<keyof Operations, new (input: never) => object> = {
  GetItem: sdk.GetItemCommand,
  BatchGetItem: sdk.BatchGetItemCommand,
  Query: sdk.QueryCommand,
  PutItem: sdk.PutItemCommand,
  UpdateItem: sdk.UpdateItemCommand,
  DeleteItem: sdk.DeleteItemCommand,
  BatchWriteItem: sdk.BatchWriteItemCommand,
  TransactWriteItems: sdk.TransactWriteItemsCommand,
}

/**
 * Time-outs in Lambda, where a process serves one request at a time and DynamoDB answers in some ten milliseconds. Elsewhere
 * many requests share a process, and a timer would also measure how long they wait for the process.
 */
const TIME_OUTS = { connectionTimeout: 1_000, requestTimeout: 3_000, throwOnRequestTimeout: true }

/**
 * Makes a client at its first request. It repeats a request that is throttled, times out, loses its connection or meets a
 * fault of DynamoDB, as the SDK's standard retry does: at most four attempts.
 */
export function connect(settings: sdk.DynamoDBClientConfig = {}): DynamoClient {
  let client: sdk.DynamoDBClient | undefined
  const open = () => {
    const made = new sdk.DynamoDBClient({
      ...awsSettings(),
      // The SDK reads files and further variables for each of these that is not named.
      accountIdEndpointMode: 'disabled',
      authSchemePreference: [],
      // An identity that has expired is read again for each request.
      credentials: async () => ({ ...credentials(), expiration: new Date(0) }),
      // The other modes have time-outs of their own.
      defaultsMode: 'legacy',
      maxAttempts: 4,
      retryMode: 'standard',
      ...(inLambda() && { requestHandler: TIME_OUTS }),
      ...settings,
    })
    // Copies each input and answer for a logger that there is not, which takes the first request 1 ms.
    made.middlewareStack.remove('loggerMiddleware')
    return made
  }
  return {
    send: (operation, input) => {
      client ??= open()
      return client.send(new COMMANDS[operation](input as never) as never) as never
    },
  }
}

/** The one client of a running function. */
export const dynamo: DynamoClient = connect()

class Unprocessed extends Error {
  override readonly name = 'Unprocessed'
}

/**
 * Processes keys or writes in batches of at most `size`, all batches at once. `process` returns what DynamoDB left
 * undone of a batch, which is repeated as `retry` does.
 */
export async function inBatches<T>(
  all: readonly T[],
  size: number,
  process: (batch: T[]) => Promise<readonly T[]>,
): Promise<void> {
  const finish = (batch: readonly T[]) => {
    let left = batch
    return retry(
      async () => {
        left = await process([...left])
        if (left.length > 0) throw new Unprocessed(`${left.length} left`)
      },
      (error) => error instanceof Unprocessed,
    )
  }
  const batches = Array.from({ length: Math.ceil(all.length / size) }, (_, batch) =>
    all.slice(batch * size, (batch + 1) * size),
  )
  await Promise.all(batches.map(finish))
}
