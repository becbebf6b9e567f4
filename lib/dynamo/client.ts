import { DynamoDBClient, type DynamoDBClientConfig } from '@aws-sdk/client-dynamodb'
import { inLambda } from '#lib/config'
import { pauseAfter } from './pause.ts'

const ATTEMPTS = 4
const CONNECTION_MILLISECONDS = 1_000
/** DynamoDB answers in some ten milliseconds: a connection that takes longer hangs. */
const REQUEST_MILLISECONDS = 3_000

/** One attempt among those of a request; `delay` is waited before it. */
const attemptAfter = (count: number, delay: number) => ({
  getRetryCount: () => count,
  getRetryDelay: () => delay,
})

/**
 * Four attempts of a request that was throttled, timed out or lost its connection, with pauses of at most 400 ms. The
 * SDK's own pauses for throttling reach seconds: two such requests use up a function's timeout of ten seconds.
 */
const retryStrategy: NonNullable<DynamoDBClientConfig['retryStrategy']> = {
  acquireInitialRetryToken: async () => attemptAfter(0, 0),
  refreshRetryTokenForRetry: async (token, { errorType }) => {
    const count = token.getRetryCount() + 1
    const mayPass = errorType === 'THROTTLING' || errorType === 'TRANSIENT'
    if (!mayPass || count === ATTEMPTS) throw new Error('There is no further attempt')
    return attemptAfter(count, pauseAfter(count))
  },
  recordSuccess: () => undefined,
}

/** The attempts that every client of the table makes. */
export const CLIENT_SETTINGS: DynamoDBClientConfig = { maxAttempts: ATTEMPTS, retryStrategy }

/** For Lambda, where a process has one request at a time. With many, a timer would measure their wait for the process. */
const TIME_OUTS: DynamoDBClientConfig = {
  requestHandler: {
    connectionTimeout: CONNECTION_MILLISECONDS,
    requestTimeout: REQUEST_MILLISECONDS,
    throwOnRequestTimeout: true,
  },
}

/**
 * Without a logger the SDK still copies every request and response for one: a third of its time for a page of 30 items.
 */
function makeClient(): DynamoDBClient {
  const made = new DynamoDBClient({ ...CLIENT_SETTINGS, ...(inLambda() && TIME_OUTS) })
  made.middlewareStack.remove('loggerMiddleware')
  return made
}

let client: DynamoDBClient | undefined

/** The one client of a running function, made at the first use; keep-alive is its default. */
export const dynamo = (): DynamoDBClient => {
  client ??= makeClient()
  return client
}
