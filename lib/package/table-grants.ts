import type { Statement } from './grants.ts'

/** What may be done in a partition; see `lib/dynamo/partitions.yml`. */
type Deed = 'read' | 'put' | 'update' | 'remove' | 'check' | 'batch'

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

const statement = (Action: string[], Resource: unknown, partitions: readonly string[]): Statement => ({
  Effect: 'Allow',
  Action,
  Resource,
  Condition: {
    'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': partitions.map((name) => `${name}#*`) },
  },
})
