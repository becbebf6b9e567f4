import { BUCKETS } from '../use-grants.ts'
import type { Request } from './policy.ts'
import type { Sent } from './recording.ts'

// Translates the commands that the tests recorded: `pairsOf` for the declarations of stores, `requestsOf` for IAM.

/** The actions of a store by the command of DynamoDB that carries them out. */
const TABLE_COMMANDS: Readonly<Record<string, string>> = {
  GetItem: 'get',
  BatchGetItem: 'get',
  Query: 'query',
  PutItem: 'put',
  UpdateItem: 'update',
  DeleteItem: 'remove',
  ConditionCheckItem: 'check',
  BatchWriteItem: 'batch',
}

/**
 * The actions of a store by the command of S3 that carries them out. The source of a copy is recorded as a `GetObject`.
 */
const OBJECT_COMMANDS: Readonly<Record<string, string>> = {
  GetObject: 'get',
  HeadObject: 'get',
  CopyObject: 'put',
  PutObject: 'put',
  CreateMultipartUpload: 'put',
  UploadPart: 'put',
  CompleteMultipartUpload: 'put',
  DeleteObject: 'remove',
  DeleteObjects: 'remove',
  ListObjectsV2: 'list',
}

/** An action in a place, as stores declare them: `USER put`, `gsi1:OWNER query`, `originals/ get`. */
export type Pair = string

export const pairOf = (place: string, action: string): Pair => `${place} ${action}`

/**
 * Returns the pairs that a function sent with one command. Throws for a command of the table or a bucket that carries out
 * no action of a store. Only DynamoDB and S3 have pairs.
 */
export function pairsOf({ service, command, touched }: Sent): Pair[] {
  if (service === 'DynamoDB') {
    return Object.entries(touched).flatMap(([place, partitions]) =>
      partitions.map((partition) => {
        // `index/gsi1` and `OWNER#` are the place `gsi1:OWNER`.
        const index = place === 'table' ? '' : `${place.replace('index/', '')}:`
        return pairOf(`${index}${partition.replace('#', '')}`, actionOf(TABLE_COMMANDS, command))
      }),
    )
  }
  if (service !== 'S3') return []
  return Object.entries(touched).flatMap(([bucket, folders]) =>
    folders.flatMap((path) =>
      foldersOf(bucket, path).map((folder) => pairOf(folder, actionOf(OBJECT_COMMANDS, command))),
    ),
  )
}

/** Returns the first folder of a path; for a list of a whole bucket all of its folders. */
const foldersOf = (bucket: string, path: string): string[] =>
  path === ''
    ? Object.entries(BUCKETS).flatMap(([folder, name]) => (name === bucket ? [folder] : []))
    : [path.replace(/\/.*/, '/')]

function actionOf(actions: Readonly<Record<string, string>>, command: string): string {
  const action = actions[command]
  if (action === undefined) throw new Error(`No store declares ${command}`)
  return action
}

/** Returns the requests that IAM judges for what a function sent; none for services other than DynamoDB and S3. */
export function requestsOf({ service, command, touched }: Sent): Request[] {
  if (service === 'DynamoDB')
    return Object.entries(touched).map(([place, partitions]) => onTable(command, place, partitions))
  if (service === 'S3')
    return Object.entries(touched).flatMap(([bucket, folders]) => onBucket(command, bucket, folders))
  return []
}

function onTable(command: string, place: string, partitions: readonly string[]): Request {
  const resource = place === 'table' ? '{Table.Arn}' : `{Table.Arn}/${place}`
  return { action: `dynamodb:${command}`, resource, leadingKeys: partitions }
}

/** The IAM actions of each action on objects. Without the right to list, S3 answers 403 for a missing object. */
const NEEDED: Readonly<Record<string, readonly string[]>> = {
  get: ['s3:GetObject', 's3:ListBucket'],
  put: ['s3:PutObject'],
  remove: ['s3:DeleteObject'],
  list: ['s3:ListBucket'],
}

const onBucket = (command: string, bucket: string, folders: readonly string[]): Request[] =>
  (NEEDED[actionOf(OBJECT_COMMANDS, command)] ?? []).flatMap((action) =>
    folders.map((folder) => ({
      action,
      // `x` stands for the name of any object in the folder.
      resource: `{${bucket}.Arn}${action === 's3:ListBucket' ? '' : `/${folder}x`}`,
    })),
  )
