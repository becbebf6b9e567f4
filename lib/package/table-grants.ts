import type { Deed } from '#lib/dynamo/table'
import type { Touches } from './functions.ts'
import type { Statement } from './grants.ts'

export type Partitions = {
  table: Readonly<Record<string, readonly Deed[]>>
  gsi1: readonly string[]
  gsi2: readonly string[]
}

/** The IAM actions of each deed. */
const ACTIONS: Readonly<Record<Deed, string[]>> = {
  read: ['dynamodb:GetItem', 'dynamodb:BatchGetItem', 'dynamodb:Query'],
  put: ['dynamodb:PutItem'],
  update: ['dynamodb:UpdateItem'],
  remove: ['dynamodb:DeleteItem'],
  check: ['dynamodb:ConditionCheckItem'],
  batch: ['dynamodb:BatchWriteItem'],
}

/**
 * The statements that allow what may be done in the table's partitions: one for each deed, one for each index. Each action
 * names its partitions in every request, so `ForAllValues` is never true for want of them; `Scan` would, and is not granted.
 *
 * @see https://docs.aws.amazon.com/service-authorization/latest/reference/list_amazondynamodb.html
 */
export function tableGrants({ table, gsi1, gsi2 }: Partitions): Statement[] {
  const deeds = Object.entries(ACTIONS).map(([deed, Action]) => {
    const partitions = Object.keys(table).filter((name) => table[name]?.some((each) => each === deed))
    return statement(Action, { 'Fn::GetAtt': ['Table', 'Arn'] }, partitions)
  })
  const indexes = Object.entries({ gsi1, gsi2 }).map(([index, partitions]) =>
    statement(['dynamodb:Query'], { 'Fn::Sub': `\${Table.Arn}/index/${index}` }, partitions),
  )
  return [...deeds, ...indexes]
}

/**
 * Returns the partitions that a function may touch: of those in `closed` only the actions that its own stores declare,
 * of indexes any. The others stay as they are.
 */
export function opened(
  { table, ...indexes }: Partitions,
  closed: ReadonlySet<string>,
  touches: Touches,
): Partitions {
  const deedsIn = (partition: string, deeds: readonly Deed[]): readonly Deed[] =>
    closed.has(partition) ? deeds.filter((deed) => touches[partition]?.includes(deed)) : deeds
  const kept = Object.entries(table).map(([partition, deeds]) => [partition, deedsIn(partition, deeds)])
  return { ...indexes, table: Object.fromEntries(kept) }
}

const statement = (Action: string[], Resource: unknown, partitions: readonly string[]): Statement => ({
  Effect: 'Allow',
  Action,
  Resource,
  Condition: {
    'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': partitions.map((name) => `${name}#*`) },
  },
})
