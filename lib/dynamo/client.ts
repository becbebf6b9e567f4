import { setTimeout as sleep } from 'node:timers/promises'
import type * as sdk from '@aws-sdk/client-dynamodb'
import { type DynamoAccess, dynamoAccess, inLambda } from '#lib/config'
import { isConnectionFault } from '#lib/kernel/connection-fault'
import { DomainError } from '#lib/kernel/domain-error'
import { DynamoError, readError } from './dynamo-error.ts'
import { post, readAnswer, type TimeOuts, writeInput } from './request.ts'

/** The operations of the table with what they take and answer, as the SDK describes them. */
export type Operations = {
  GetItem: [sdk.GetItemCommandInput, sdk.GetItemCommandOutput]
  BatchGetItem: [sdk.BatchGetItemCommandInput, sdk.BatchGetItemCommandOutput]
  Query: [sdk.QueryCommandInput, sdk.QueryCommandOutput]
  PutItem: [sdk.PutItemCommandInput, sdk.PutItemCommandOutput]
  UpdateItem: [sdk.UpdateItemCommandInput, sdk.UpdateItemCommandOutput]
  DeleteItem: [sdk.DeleteItemCommandInput, sdk.DeleteItemCommandOutput]
  BatchWriteItem: [sdk.BatchWriteItemCommandInput, sdk.BatchWriteItemCommandOutput]
  TransactWriteItems: [sdk.TransactWriteItemsCommandInput, sdk.TransactWriteItemsCommandOutput]
}

type Answers = { [Name in keyof Operations]: Omit<Operations[Name][1], '$metadata'> }

/**
 * Sends requests to DynamoDB, signed. The SDK's client does the same, but costs every cold start 10 ms and every
 * request twice the processor time.
 */
export type DynamoClient = {
  send: <Name extends keyof Operations>(operation: Name, input: Operations[Name][0]) => Promise<Answers[Name]>
}

const ATTEMPTS = 4

/**
 * Time-outs in Lambda, where a process serves one request at a time and DynamoDB answers in some ten milliseconds. Elsewhere
 * many requests share a process, and a timer would also measure how long they wait for the process.
 */
const TIME_OUTS: TimeOuts = { connectionMilliseconds: 1_000, answerMilliseconds: 3_000 }

/**
 * Makes a client that sends a request at most four times if it is throttled, times out, loses its connection or meets a
 * fault of DynamoDB. The pauses between are at most 400 ms. `access` is read anew for each attempt.
 */
export const connect = (access: () => DynamoAccess): DynamoClient => ({
  send: async (operation, input) => {
    const body = writeInput(input)
    const timeOuts = inLambda() ? TIME_OUTS : undefined
    const attemptOnce = async (attempt: number) => {
      const { status, text } = await post(operation, body, access(), timeOuts)
      if (status === 200) return readAnswer<Answers[typeof operation]>(text)
      throw readError(text, { httpStatusCode: status, attempts: attempt })
    }
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await attemptOnce(attempt)
      } catch (error) {
        if (attempt === ATTEMPTS || !isTransient(error)) throw error
        await sleep(backoffMilliseconds(attempt))
      }
    }
  },
})

const THROTTLED = new Set<unknown>([
  'ThrottlingException',
  'ProvisionedThroughputExceededException',
  'RequestLimitExceeded',
  'TransactionInProgressException',
])

function isTransient(error: unknown): boolean {
  if (error instanceof DynamoError) {
    const { httpStatusCode } = error.$metadata
    return httpStatusCode >= 500 || httpStatusCode === 429 || THROTTLED.has(error.name)
  }
  return isConnectionFault(error)
}

/** The one client of a running function. */
export const dynamo: DynamoClient = connect(dynamoAccess)

/** Doubled with each attempt, the first included. */
const BASE_PAUSE_MILLISECONDS = 20
const LONGEST_PAUSE_MILLISECONDS = 400

/** Returns the pause after an attempt, the first being 1: a random part of a time that doubles, at most 400 ms. */
export const backoffMilliseconds = (attempt: number): number =>
  Math.min(BASE_PAUSE_MILLISECONDS * 2 ** attempt, LONGEST_PAUSE_MILLISECONDS) * Math.random()

const BATCH_ATTEMPTS = 8

/**
 * Processes keys or writes in batches of at most `size`, all batches at once. `process` returns what DynamoDB left
 * undone of a batch, which is attempted at most eight times with pauses. Throws `unavailable` for what is left then.
 */
export async function inBatches<T>(
  all: readonly T[],
  size: number,
  process: (batch: T[]) => Promise<readonly T[]>,
): Promise<void> {
  const finish = async (batch: readonly T[]) => {
    let left = await process([...batch])
    for (let attempt = 1; left.length > 0; attempt += 1) {
      if (attempt === BATCH_ATTEMPTS)
        throw new DomainError('unavailable', { cause: `${left.length} left unprocessed` })
      await sleep(backoffMilliseconds(attempt))
      left = await process([...left])
    }
  }
  const batches = Array.from({ length: Math.ceil(all.length / size) }, (_, batch) =>
    all.slice(batch * size, (batch + 1) * size),
  )
  await Promise.all(batches.map(finish))
}
