import { createHash } from 'node:crypto'
import type { Changed } from '#lib/http/spec'
import type { BundleContents } from './bundle.ts'
import type { GrantTable, Statement } from './grants.ts'
import { isOfLambda, narrowed, placeOf } from './narrowed.ts'
import { LOG_GROUP } from './template/logs.ts'

export type RoleBearer = {
  name: string
  variables: readonly string[]
  /** The kinds of its event sources, such as `stream`. */
  eventSources: readonly string[]
  bundle: BundleContents
  /** The rights that its variables and event sources call for, in the partitions open to the function. */
  grants: GrantTable
  changes: readonly Changed[]
  /** The IAM actions that it never needs, at all or in a folder, though its bundle could send them. */
  denied: ReadonlySet<string>
}

/** CloudFormation's roles, and which of them each function takes. */
export type Roles = { resources: Record<string, unknown>; roleOf: Record<string, string> }

/**
 * Makes one role for each set of permissions; functions with the same set share it. Grants a function the rights that
 * its variables, event sources and name call for, as far as its bundle can send the requests and its declaration
 * names changes. In addition, a role may write to the functions' log group.
 */
export function rolesFor(bearers: readonly RoleBearer[]): Roles {
  const roles: Roles = { resources: {}, roleOf: {} }
  for (const bearer of bearers) {
    const keys = grantsOf(bearer)
    const allowed = narrowed(bearer.grants, bearer.bundle)
    const granted = keys.flatMap((key) => {
      const statements = allowed[key] ?? []
      // Lambda itself uses these rights, so the declaration of the function does not limit them.
      return isOfLambda(key) ? statements : statements.flatMap((statement) => limited(statement, bearer))
    })
    const name = roleName(keys, granted)
    roles.resources[name] = role([LOGS, ...granted])
    roles.roleOf[bearer.name] = name
  }
  return roles
}

/** Removes from a statement the actions that the function does not declare, and those denied, in each folder too. */
function limited(statement: Statement, { changes, denied }: RoleBearer): Statement[] {
  const actions = statement.Action.filter(
    (action) =>
      !denied.has(action) &&
      (changes.includes('records') || !CHANGES_RECORDS.test(action)) &&
      (changes.includes('objects') || !CHANGES_OBJECTS.test(action)),
  )
  const resources = [statement.Resource].flat()
  const leftTo = (action: string) =>
    resources.filter((resource) => !denied.has(`${action} ${placeOf(resource)}`))
  const whole = actions.filter((action) => leftTo(action).length === resources.length)
  const parts = actions
    .filter((action) => !whole.includes(action))
    .map((action) => ({ ...statement, Action: [action], Resource: leftTo(action) }))
  return [{ ...statement, Action: whole }, ...parts].filter(
    ({ Action, Resource }) => Action.length > 0 && [Resource].flat().length > 0,
  )
}

const CHANGES_RECORDS = /^dynamodb:(Put|Update|Delete|BatchWrite|ConditionCheck)Item$/
const CHANGES_OBJECTS = /^s3:(Put|Delete)Object$/

/** The keys of `grants` that apply to a function, sorted. */
const grantsOf = ({ name, variables, eventSources, grants }: RoleBearer): string[] =>
  [...new Set([...variables, ...eventSources, name])].filter((key) => key in grants).sort()

/** Returns a name such as `RoleMediaBucketTableName4f2a9c1e`: the same for the same keys and permissions. */
const roleName = (keys: readonly string[], granted: readonly Statement[]): string => {
  if (granted.length === 0) return 'RoleLogsOnly'
  const mark = createHash('sha256').update(JSON.stringify(granted)).digest('hex').slice(0, 8)
  return `Role${keys.map(pascalCase).join('')}${mark}`
}

const pascalCase = (key: string): string =>
  (key === key.toUpperCase() ? key.toLowerCase() : key).replace(/(?:^|_)([a-z])/g, (_, letter: string) =>
    letter.toUpperCase(),
  )

const LOGS: Statement = {
  Effect: 'Allow',
  Action: ['logs:CreateLogStream', 'logs:PutLogEvents'],
  Resource: { 'Fn::GetAtt': [LOG_GROUP, 'Arn'] },
}

const role = (statements: readonly Statement[]) => ({
  Type: 'AWS::IAM::Role',
  Properties: {
    AssumeRolePolicyDocument: {
      Version: '2012-10-17',
      Statement: [
        { Effect: 'Allow', Principal: { Service: 'lambda.amazonaws.com' }, Action: 'sts:AssumeRole' },
      ],
    },
    Policies: [{ PolicyName: 'function', PolicyDocument: { Version: '2012-10-17', Statement: statements } }],
  },
})
