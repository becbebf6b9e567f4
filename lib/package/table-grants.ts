import type { TableAction } from '#lib/dynamo/table'
import type { Touches } from './functions.ts'
import type { Statement } from './grants.ts'

export type Partitions = {
  table: Readonly<Record<string, readonly TableAction[]>>
  gsi1: readonly string[]
  gsi2: readonly string[]
}

/** The IAM actions of each action of a store. */
const ACTIONS: Readonly<Record<TableAction, string[]>> = {
  read: ['dynamodb:GetItem', 'dynamodb:BatchGetItem', 'dynamodb:Query'],
  put: ['dynamodb:PutItem'],
  update: ['dynamodb:UpdateItem'],
  remove: ['dynamodb:DeleteItem'],
  check: ['dynamodb:ConditionCheckItem'],
  batch: ['dynamodb:BatchWriteItem'],
}

/**
 * Returns the statements that allow the actions on the table's partitions: one for each action, one for each index. Each
 * action names its partitions in every request, so `ForAllValues` is never true without them; `Scan` names none, and is
 * not granted.
 *
 * @see https://docs.aws.amazon.com/service-authorization/latest/reference/list_amazondynamodb.html
 */
export function tableGrants({ table, gsi1, gsi2 }: Partitions): Statement[] {
  const actions = Object.entries(ACTIONS).map(([action, Action]) => {
    const partitions = Object.keys(table).filter((name) => table[name]?.some((each) => each === action))
    return statement(Action, { 'Fn::GetAtt': ['Table', 'Arn'] }, partitions)
  })
  const indexes = Object.entries({ gsi1, gsi2 }).map(([index, partitions]) =>
    statement(['dynamodb:Query'], { 'Fn::Sub': `\${Table.Arn}/index/${index}` }, partitions),
  )
  return [...actions, ...indexes]
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
  const actionsIn = (partition: string, actions: readonly TableAction[]): readonly TableAction[] =>
    closed.has(partition) ? actions.filter((action) => touches[partition]?.includes(action)) : actions
  const kept = Object.entries(table).map(([partition, actions]) => [partition, actionsIn(partition, actions)])
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
