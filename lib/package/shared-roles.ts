import { partitionsOf, type Statement } from './grants.ts'

/** A role's permissions, the grants that they come from, and the functions that take it. */
export type SharedRole = { keys: readonly string[]; granted: readonly Statement[]; names: readonly string[] }

const READS = /^dynamodb:(GetItem|BatchGetItem|Query)$/

const isRead = (statement: Statement): boolean =>
  statement.Action.every((action) => READS.test(action)) && partitionsOf(statement) !== undefined

/** Partitions of which a function reads only what it needs: a joined role lets none of its functions read more of them. */
const SENSITIVE = /^(FACTORS|PASSKEY|PAYOUT-ACCOUNT)#/

const sensitiveOf = ({ granted }: SharedRole): string[] =>
  [...new Set(granted.flatMap((statement) => partitionsOf(statement) ?? []))]
    .filter((partition) => SENSITIVE.test(partition))
    .sort()

/** What a role may do beside reading the table, and what it reads that is sensitive: joined roles agree in both. */
const othersOf = (role: SharedRole): string =>
  JSON.stringify([role.granted.filter((statement) => !isRead(statement)), sensitiveOf(role)])

/** Joins roles until at most so many are left, or none is left that may be joined: the pair first that gains least. */
export function withoutExcess(roles: readonly SharedRole[], most: number): SharedRole[] {
  const left = [...roles]
  while (left.length > most) {
    const [best] = pairsOf(left).sort((one, other) => one.gained - other.gained)
    if (!best) return left
    left.splice(best.second, 1)
    left[best.first] = best.joined
  }
  return left
}

function pairsOf(roles: readonly SharedRole[]) {
  const readers = roles
    .map((role, place) => ({ role, place, others: othersOf(role) }))
    .filter(({ role }) => role.granted.some(isRead) && !role.granted.some(changesRecords))
  return readers.flatMap((one, index) =>
    readers
      .slice(index + 1)
      .filter(({ others }) => others === one.others)
      .map((other) => {
        const joined = joinedRole(one.role, other.role)
        const gained = 2 * sizeOf(joined) - sizeOf(one.role) - sizeOf(other.role)
        return { first: one.place, second: other.place, joined, gained }
      }),
  )
}

const changesRecords = ({ Action }: Statement): boolean =>
  Action.some((action) => /^dynamodb:(Put|Update|Delete|BatchWrite)Item$/.test(action))

const sizeOf = ({ granted }: SharedRole): number =>
  granted.reduce(
    (sum, statement) => sum + (isRead(statement) ? (partitionsOf(statement)?.length ?? 0) : 0),
    0,
  )

function joinedRole(one: SharedRole, other: SharedRole): SharedRole {
  const reads = Map.groupBy([...one.granted, ...other.granted].filter(isRead), ({ Resource }) =>
    JSON.stringify(Resource),
  )
  const joined = [...reads.values()].map((statements): Statement => {
    const partitions = [...new Set(statements.flatMap((each) => partitionsOf(each) ?? []))].sort()
    return {
      Effect: 'Allow',
      Action: [...new Set(statements.flatMap(({ Action }) => Action))].sort(),
      Resource: statements[0]?.Resource,
      Condition: { 'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': partitions } },
    }
  })
  return {
    keys: [...new Set([...one.keys, ...other.keys])].sort(),
    granted: [...one.granted.filter((statement) => !isRead(statement)), ...joined],
    names: [...one.names, ...other.names],
  }
}
