import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as wait } from 'node:timers/promises'
import {
  CreateTableCommand,
  DynamoDBClient,
  ListTablesCommand,
  TransactWriteItemsCommand,
} from '@aws-sdk/client-dynamodb'
import { parse } from 'yaml'
import * as z from 'zod'
import { connect, type DynamoClient } from '#lib/dynamo/client'
import { writeItem } from '#lib/dynamo/item'
import { emptySearch } from '#lib/listings/search/snapshots.dynamo'
import { type Child, startChild } from './child.ts'
import { freePorts } from './local-server.ts'

const ROOT = join(import.meta.dirname, '../..')
/** The program that is the local DynamoDB. */
export const LOCAL_BINARY = join(ROOT, 'node_modules/@dynoxide/linux-x64/dynoxide')
const TABLE_FILE = join(ROOT, 'lib/dynamo/table.yml')

export type LocalDynamo = {
  processId: number
  endpoint: string
  ended: Promise<string>
  stop: () => Promise<void>
}

/**
 * Starts a DynamoDB on loopback, on a free port unless one is given, and resolves once it answers. Records are kept in
 * the file; without a file they are kept in memory, and lost when the process stops.
 */
export async function startDynamo(options: { port?: number; file?: string } = {}): Promise<LocalDynamo> {
  const [port] = options.port === undefined ? await freePorts(1) : [options.port]
  const { file } = options
  const child = startChild({
    command: LOCAL_BINARY,
    args: ['--host', '127.0.0.1', '--port', `${port}`, ...(file === undefined ? [] : ['--db-path', file])],
    environment: {},
    // Returns true for lines to forget: the others explain why the process ended.
    onLine: (line) => line === '' || line.startsWith('Dynoxide listening'),
  })
  const endpoint = `http://127.0.0.1:${port}`
  await waitForAnswer(endpoint, child)
  if (file !== undefined) indexStream(file)
  return { processId: child.processId, endpoint, ended: child.ended, stop: child.stop }
}

/**
 * Dynoxide reads its whole stream at every write and every read of the stream: with 10,000 records in it a write takes
 * ten times as long. With this index the time does not grow with the number of records.
 */
function indexStream(file: string): void {
  const database = new DatabaseSync(file, { timeout: 5_000 })
  database.exec(
    'CREATE INDEX IF NOT EXISTS stream_in_order ON _stream_records (table_name, CAST(sequence_number AS INTEGER))',
  )
  database.close()
}

async function waitForAnswer(endpoint: string, child: Child): Promise<void> {
  const client = localDynamoClient(endpoint)
  let lastOutput: string | undefined
  child.ended.then((output) => {
    lastOutput = output
  })
  while (lastOutput === undefined) {
    const answered = await client.send(new ListTablesCommand({})).catch(() => undefined)
    if (answered) return client.destroy()
    await wait(20)
  }
  throw new Error(
    `The local DynamoDB did not start (it is for Linux x64; elsewhere set AWS_ENDPOINT_URL_DYNAMODB). ${lastOutput}`,
  )
}

/** The region and credentials of requests to a local DynamoDB, which accepts any. */
const LOCAL_ACCESS = {
  region: 'eu-west-1',
  credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
}

/** Makes the service's own client, for a local DynamoDB. */
export const connectLocally = (endpoint: string): DynamoClient => connect({ ...LOCAL_ACCESS, endpoint })

/** Makes the SDK's client of a local DynamoDB, for requests that the service never makes. */
export const localDynamoClient = (endpoint: string): DynamoDBClient =>
  new DynamoDBClient({ ...LOCAL_ACCESS, endpoint, maxAttempts: 1 })

const Template = z.object({
  Resources: z.object({
    Table: z.object({
      Properties: z.looseObject({
        BillingMode: z.literal('PAY_PER_REQUEST'),
        AttributeDefinitions: z.array(
          z.object({ AttributeName: z.string(), AttributeType: z.enum(['S', 'N', 'B']) }),
        ),
        KeySchema: z.array(z.object({ AttributeName: z.string(), KeyType: z.enum(['HASH', 'RANGE']) })),
        GlobalSecondaryIndexes: z.array(
          z.object({
            IndexName: z.string(),
            KeySchema: z.array(z.object({ AttributeName: z.string(), KeyType: z.enum(['HASH', 'RANGE']) })),
            Projection: z.object({
              ProjectionType: z.enum(['ALL', 'KEYS_ONLY', 'INCLUDE']),
              NonKeyAttributes: z.array(z.string()).optional(),
            }),
          }),
        ),
        StreamSpecification: z.object({
          StreamViewType: z.enum(['NEW_AND_OLD_IMAGES', 'NEW_IMAGE', 'OLD_IMAGE', 'KEYS_ONLY']),
        }),
      }),
    }),
  }),
})

/**
 * Creates the table as `lib/dynamo/table.yml` describes it, with an empty search snapshot. Does nothing if the table exists.
 * Its stream is on where something reads the stream: Dynoxide takes a quarter more time for each write to fill it.
 */
export async function createTable(
  client: DynamoDBClient,
  tableName: string,
  { withStream }: { withStream: boolean },
): Promise<void> {
  const template = Template.parse(parse(await readFile(TABLE_FILE, 'utf8')))
  const { BillingMode, AttributeDefinitions, KeySchema, GlobalSecondaryIndexes, StreamSpecification } =
    template.Resources.Table.Properties
  const command = new CreateTableCommand({
    TableName: tableName,
    BillingMode,
    AttributeDefinitions,
    KeySchema,
    GlobalSecondaryIndexes,
    ...(withStream && { StreamSpecification: { ...StreamSpecification, StreamEnabled: true } }),
  })
  const isNew = await client.send(command).then(
    () => true,
    (error: Error) => {
      if (error.name !== 'ResourceInUseException') throw error
      return false
    },
  )
  if (isNew)
    await client.send(
      new TransactWriteItemsCommand({ TransactItems: [writeItem(emptySearch(Date.now()), tableName)] }),
    )
}
