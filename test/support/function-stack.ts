import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type DynamoDBClient, UpdateItemCommand } from '@aws-sdk/client-dynamodb'
import { marshall } from '@aws-sdk/util-dynamodb'
import { accountKey } from '#lib/accounts/account.keys'
import { timestamp } from '#lib/kernel/clock'
import { UserId } from '#lib/kernel/id'
import { consoleToken } from '#lib/local/commands/token'
import { createTable, localDynamoClient, startDynamo } from '#lib/local/dynamodb'
import { type Environment, localEnvironment, publicPart } from '#lib/local/environment'
import { localKeys } from '#lib/local/keys'
import { portsFrom } from '#lib/local/ports'
import { startS3 } from '#lib/local/s3/s3-server'

/** The parts that functions need to answer: a database and an object store, without gateway and pages. */
export type FunctionStack = {
  /** Every variable that functions require, and the addresses of the AWS SDK's services. */
  environment: Environment
  /** A console token of an administrator. */
  consoleToken: string
  /** The secret of the provider `standard-webhooks`, the only one switched on. */
  webhookSecret: string
  databaseProcessId: number
  /** Proves a user's e-mail, as the link in a mail would. */
  proveEmail: (userId: string) => Promise<void>
  stop: () => Promise<void>
}

/** The port in addresses and issuers; nothing listens on it. */
const PORT = 3000

/** Starts a DynamoDB and an S3 in temporary folders, both on free ports, with keys of their own. */
export async function startFunctionStack(): Promise<FunctionStack> {
  const directory = await mkdtemp(join(tmpdir(), 'platform-functions-'))
  const keys = await localKeys(directory)
  const callerEnvironment = {}
  // Nothing serves the console's keys at an address: `CONSOLE_JWKS` holds them.
  const { CONSOLE_JWKS_URI: _, ...environment } = localEnvironment(portsFrom(PORT), keys, callerEnvironment)
  const { TABLE_NAME = '', MEDIA_BUCKET: media = '', DOCUMENTS_BUCKET: documents = '' } = environment
  const dynamo = await startDynamo()
  const s3 = await startS3({ directory, credentials: keys, buckets: { media, documents } })
  const client = localDynamoClient(dynamo.endpoint)
  await createTable(client, TABLE_NAME, { withStream: false })
  const webhookSecret = keys.sandboxWebhookSecret
  const provider = { webhookSecrets: [webhookSecret], checkoutUrl: 'https://pay.example.com/{paymentId}' }
  return {
    environment: {
      ...environment,
      MEDIA_URL: s3.mediaUrl,
      // No stream of changes is read, so none is routed to a queue.
      CHANGE_ROUTES: '{}',
      CONSOLE_JWKS: JSON.stringify(publicPart(keys.openidKeys)),
      PAYMENT_PROVIDERS: JSON.stringify({ 'standard-webhooks': provider }),
      AWS_ENDPOINT_URL_DYNAMODB: dynamo.endpoint,
      AWS_ENDPOINT_URL_S3: s3.endpoint,
    },
    consoleToken: await consoleToken({ port: PORT, directory }, { sub: 'admin' }),
    webhookSecret,
    databaseProcessId: dynamo.processId,
    proveEmail: (userId) => proveEmail(client, TABLE_NAME, UserId.parse(userId)),
    stop: async () => {
      client.destroy()
      await Promise.all([dynamo.stop(), s3.stop()])
      await rm(directory, { recursive: true, force: true })
    },
  }
}

async function proveEmail(client: DynamoDBClient, TableName: string, userId: UserId): Promise<void> {
  await client.send(
    new UpdateItemCommand({
      TableName,
      Key: marshall(accountKey(userId)),
      UpdateExpression: 'SET provenAt = :at',
      ExpressionAttributeValues: { ':at': { S: timestamp(new Date()) } },
    }),
  )
}
