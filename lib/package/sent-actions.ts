import type { BundleContents } from './bundle.ts'
import type { GrantTable } from './grants.ts'

/** The IAM actions that a command of the AWS SDK needs. One that is not here needs the action of its own name. */
const NEEDED: Readonly<Record<string, readonly string[]>> = {
  // Without leave to list, S3 answers a missing object with 403 instead of 404.
  GetObject: ['s3:GetObject', 's3:ListBucket'],
  HeadObject: ['s3:GetObject', 's3:ListBucket'],
  CopyObject: ['s3:GetObject', 's3:PutObject', 's3:ListBucket'],
  CreateMultipartUpload: ['s3:PutObject'],
  UploadPart: ['s3:PutObject'],
  CompleteMultipartUpload: ['s3:PutObject'],
  DeleteObjects: ['s3:DeleteObject'],
  SendMessageBatch: ['sqs:SendMessage'],
  ListObjectsV2: ['s3:ListBucket'],
  TransactWriteItems: [
    'dynamodb:PutItem',
    'dynamodb:UpdateItem',
    'dynamodb:DeleteItem',
    'dynamodb:ConditionCheckItem',
  ],
  BatchWriteItem: ['dynamodb:BatchWriteItem', 'dynamodb:PutItem', 'dynamodb:DeleteItem'],
}

const COMMAND = /@aws-sdk\/client-([a-z0-9-]+)\/.*\/commands\/(\w+)Command\.js$/

/** A client's name where IAM calls the service otherwise. */
const SERVICE: Readonly<Record<string, string>> = {
  sesv2: 'ses',
  eventbridge: 'events',
  'secrets-manager': 'secretsmanager',
}

/** The IAM actions of every command that a bundle holds, and so can send. */
export function actionsOf({ bytes }: BundleContents): Set<string> {
  const commands = Object.keys(bytes).flatMap((path) => {
    const [, client = '', command = ''] = COMMAND.exec(path) ?? []
    return command === '' ? [] : [{ service: SERVICE[client] ?? client, command }]
  })
  return new Set(commands.flatMap(({ service, command }) => actionsNeededBy(service, command)))
}

/** The IAM actions that a command of a service needs. */
export const actionsNeededBy = (service: string, command: string): readonly string[] =>
  NEEDED[command] ?? [`${service}:${command}`]

/** Who calls these for a function is Lambda or KMS, with the function's role: no command of a bundle says so. */
const CALLED_FOR_IT =
  /^(kms:Decrypt|sqs:(ReceiveMessage|DeleteMessage|GetQueueAttributes|ChangeMessageVisibility)|dynamodb:(DescribeStream|GetRecords|GetShardIterator|ListStreams))$/
/** What starts a function, whose failures Lambda keeps with the function's role. */
const KEPT_FOR_IT = new Set(['stream', 'schedule'])

/** What a function may do: of what its variables call for, only what its bundle can send. */
export function narrowed(grants: GrantTable, sent: ReadonlySet<string>): GrantTable {
  return Object.fromEntries(
    Object.entries(grants).map(([key, statements]) => [
      key,
      statements.flatMap((statement) => {
        const Action = statement.Action.filter(
          (action) => sent.has(action) || CALLED_FOR_IT.test(action) || KEPT_FOR_IT.has(key),
        )
        return Action.length > 0 ? [{ ...statement, Action }] : []
      }),
    ]),
  )
}
