import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type DynamoDBClient, UpdateItemCommand } from '@aws-sdk/client-dynamodb'
import { marshall } from '@aws-sdk/util-dynamodb'
import { accountKey } from '#lib/accounts/account.keys'
import { timestamp } from '#lib/kernel/clock'
import { UserId } from '#lib/kernel/id'
import { consoleToken } from '../../local/commands/token.ts'
import { createTable, localDynamoClient, startDynamo } from '../../local/dynamodb.ts'
import { type Environment, localEnvironment, publicPart } from '../../local/environment.ts'
import { localKeys } from '../../local/keys.ts'
import { portsFrom } from '../../local/ports.ts'
import { startS3 } from '../../local/s3/s3-server.ts'

/** The parts that functions need to answer: a database and an object store, without gateway and pages. */
export type RehearsalStack = {
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
export async function startRehearsalStack(): Promise<RehearsalStack> {
  const directory = await mkdtemp(join(tmpdir(), 'platform-rehearsal-'))
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
      // The rehearsal reads no stream of changes, so it routes none to a queue.
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
