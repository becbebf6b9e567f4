import type { Uses } from '#lib/config/config'
import { sha256 } from '#lib/kernel/signatures'
import type { GrantTable, Statement } from './grants.ts'
import { LOG_GROUP } from './template/logs.ts'
import { grantsOfUses } from './use-grants.ts'

export type RoleBearer = {
  name: string
  variables: readonly string[]
  /** The kinds of its event sources, such as `stream`. */
  eventSources: readonly string[]
  /** The actions that its dependencies declare, by place. */
  uses: Uses
}

/** CloudFormation's roles, and which of them each function takes. */
export type Roles = { resources: Record<string, unknown>; roleOf: Record<string, string> }

/**
 * Makes one role for each set of permissions; functions with the same set share it. Grants a function what its variables,
 * event sources and name call for, and what its dependencies declare. In addition, a role may write to the functions' log
 * group.
 */
export function rolesFor(bearers: readonly RoleBearer[], grants: GrantTable): Roles {
  const roles: Roles = { resources: {}, roleOf: {} }
  for (const bearer of bearers) {
    const keys = grantKeysOf(bearer, grants)
    const granted = [...keys.flatMap((key) => grants[key] ?? []), ...grantsOfUses(bearer.uses)]
    const name = roleName(keys, granted)
    roles.resources[name] = role([LOGS, ...granted])
    roles.roleOf[bearer.name] = name
  }
  return roles
}

/**
 * Returns the keys of `grants` that apply to a function, sorted. Only services among its `uses`, such as `eventBus`,
 * are keys: `grantsOfUses` permits partitions and folders.
 */
const grantKeysOf = ({ name, variables, eventSources, uses }: RoleBearer, grants: GrantTable): string[] =>
  [...new Set([...variables, ...eventSources, name, ...Object.keys(uses)])]
    .filter((key) => key in grants)
    .sort()

/** Returns a name such as `RoleMediaBucketTableName4f2a9c1e`: the same for the same keys and permissions. */
const roleName = (keys: readonly string[], granted: readonly Statement[]): string => {
  if (granted.length === 0) return 'RoleLogsOnly'
  const hash = sha256(JSON.stringify(granted)).slice(0, 8)
  return `Role${keys.map(pascalCase).join('')}${hash}`
}

/** Spells a key in Pascal case: `TABLE_NAME` is `TableName`, `eventBus` is `EventBus`. */
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
