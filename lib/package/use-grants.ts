import type { Uses } from '#lib/config/config'
import type { Folder, ObjectAction } from '#lib/objects/buckets'
import type { Statement } from './grants.ts'

/** The IAM actions that read and write a partition. A condition alone counts as a read. */
const READ = ['dynamodb:GetItem', 'dynamodb:BatchGetItem', 'dynamodb:Query', 'dynamodb:ConditionCheckItem']
const WRITE = ['dynamodb:PutItem', 'dynamodb:UpdateItem']
const REMOVE = ['dynamodb:DeleteItem', 'dynamodb:BatchWriteItem']

/** The partitions that no function removes from: events, the journal, payments, refunds and callbacks. */
const KEPT: readonly string[] = ['EVENTS', 'ACTIONS', 'PAYMENT', 'REFUND', 'CALLBACK']

/** The IAM actions of each action on the objects of a folder. */
const OBJECT_ACTIONS: Readonly<Record<ObjectAction, string[]>> = {
  get: ['s3:GetObject'],
  put: ['s3:PutObject'],
  remove: ['s3:DeleteObject'],
  // Granted on the bucket, by `LISTS`.
  list: [],
}

/** The bucket of each folder, by its name in the template. */
export const BUCKETS: Readonly<Record<Folder, string>> = {
  'originals/': 'MediaBucket',
  'variants/': 'MediaBucket',
  'public/': 'MediaBucket',
  'search/': 'MediaBucket',
  'documents/': 'DocumentsBucket',
  'exports/': 'DocumentsBucket',
}

/**
 * Returns the statements that allow what stores declare. A place is a partition such as `USER`, a partition of an index
 * such as `gsi1:OWNER`, or a folder such as `documents/`.
 */
export const grantsOfUses = (uses: Uses): Statement[] => [...tableGrants(uses), ...objectGrants(uses)]

/**
 * Returns the statements for partitions. `ForAllValues` alone would allow a request that names no partition: every granted
 * action names its partitions, and `Scan`, which names none, is not granted.
 *
 * @see https://docs.aws.amazon.com/service-authorization/latest/reference/list_amazondynamodb.html
 */
function tableGrants(uses: Uses): Statement[] {
  const places = Object.keys(uses).filter(isPartition)
  const table = { 'Fn::GetAtt': ['Table', 'Arn'] }
  const having = (use: string) => places.filter((place) => !place.includes(':') && uses[place]?.includes(use))
  const written = having('write')
  const actions = [
    within(READ, table, having('read')),
    within(WRITE, table, written),
    within(
      REMOVE,
      table,
      written.filter((place) => !KEPT.includes(place)),
    ),
  ]
  const indexes = ['gsi1', 'gsi2'].map((index) => {
    const partitions = places
      .filter((place) => place.startsWith(`${index}:`))
      .map((place) => place.replace(`${index}:`, ''))
    return within(['dynamodb:Query'], { 'Fn::Sub': `\${Table.Arn}/index/${index}` }, partitions)
  })
  return [...actions, ...indexes].flat()
}

/** Whether a place is a partition of the table or of an index, such as `USER` or `gsi1:OWNER`. */
const isPartition = (place: string): boolean => /^[A-Z]|:/.test(place)

const within = (Action: string[], Resource: unknown, partitions: readonly string[]): Statement[] => {
  // The keys of a partition begin with its name, such as `USER#`.
  const patterns = partitions.toSorted().map((name) => `${name}#*`)
  const Condition = { 'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': patterns } }
  return patterns.length === 0 ? [] : [{ Effect: 'Allow', Action, Resource, Condition }]
}

/**
 * The actions that need the right to list the bucket. Without it, S3 answers 403 instead of 404 for a missing object.
 */
const LISTS: readonly string[] = ['get', 'list']

function objectGrants(uses: Uses): Statement[] {
  const folders = Object.keys(uses).filter(isFolder).toSorted()
  const actions = Object.entries(OBJECT_ACTIONS).flatMap(([action, Action]): Statement[] => {
    const among = folders.filter((folder) => uses[folder]?.includes(action))
    const Resource = among.map((folder) => ({ 'Fn::Sub': `\${${BUCKETS[folder]}.Arn}/${folder}*` }))
    return Action.length === 0 || among.length === 0 ? [] : [{ Effect: 'Allow', Action, Resource }]
  })
  const listed = folders.filter((folder) => uses[folder]?.some((action) => LISTS.includes(action)))
  const buckets = [...new Set(listed.map((folder) => BUCKETS[folder as Folder]))]
  const lists = buckets.map(
    (bucket): Statement => ({
      Effect: 'Allow',
      Action: ['s3:ListBucket'],
      Resource: { 'Fn::GetAtt': [bucket, 'Arn'] },
    }),
  )
  return [...actions, ...lists]
}

const isFolder = (place: string): place is Folder => place.endsWith('/')
