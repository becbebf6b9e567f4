import type { BundleContents } from './bundle.ts'

/**
 * The IAM actions that a command of the AWS SDK needs. A command that is not listed needs the action of its own name.
 */
const NEEDED: Readonly<Record<string, readonly string[]>> = {
  // Without the right to list, S3 answers 403 instead of 404 for a missing object.
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
}

const COMMAND = /@aws-sdk\/client-([a-z0-9-]+)\/.*\/commands\/(\w+)Command\.js$/

/** A client's name where IAM calls the service otherwise. */
const SERVICE: Readonly<Record<string, string>> = {
  sesv2: 'ses',
  eventbridge: 'events',
  'secrets-manager': 'secretsmanager',
}

/** The methods of `Table` of which a bundle must call one to send a command: `Table` itself holds all commands. */
const SENT_BY: Readonly<Record<string, readonly string[]>> = {
  BatchGetItem: ['.getMany'],
  BatchWriteItem: ['.writeEach'],
  Query: ['.query', '.queryAll', '.count'],
}

/** The IAM actions of every command that a bundle holds and can send. */
export function actionsOf({ bytes, names }: BundleContents): Set<string> {
  const commands = Object.keys(bytes).flatMap((path) => {
    const [, client = '', command = ''] = COMMAND.exec(path) ?? []
    const isSent = SENT_BY[command]?.some((method) => names.has(method)) ?? true
    return command === '' || !isSent ? [] : [{ service: SERVICE[client] ?? client, command }]
  })
  return new Set(commands.flatMap(({ service, command }) => actionsNeededBy(service, command)))
}

/** The IAM actions that a command of a service needs. */
export const actionsNeededBy = (service: string, command: string): readonly string[] =>
  NEEDED[command] ?? [`${service}:${command}`]
