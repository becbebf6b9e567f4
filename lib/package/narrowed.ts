import type { BundleContents } from './bundle.ts'
import { arnOf, type GrantTable, type Statement, withinPartitions } from './grants.ts'
import { actionsOf } from './sent-actions.ts'

/** Who calls these for a function is Lambda or KMS, with the function's role: no command of a bundle says so. */
const CALLED_FOR_IT =
  /^(kms:Decrypt|sqs:(ReceiveMessage|DeleteMessage|GetQueueAttributes|ChangeMessageVisibility)|dynamodb:(DescribeStream|GetRecords|GetShardIterator|ListStreams))$/
const KEPT_FOR_IT = new Set(['stream', 'schedule'])

/** Whether the statements of a key are what Lambda itself does with a function's role, such as keeping failed events. */
export const isOfLambda = (key: string): boolean => KEPT_FOR_IT.has(key)

/**
 * Returns the rights of a function, narrowed from those of its variables: only commands that its bundle holds, and only
 * on partitions, indexes and folders that its bundle spells.
 */
export function narrowed(grants: GrantTable, bundle: BundleContents): GrantTable {
  const actions = actionsOf(bundle)
  const within = (statement: Statement): Statement[] => {
    const Action = statement.Action.filter((action) => actions.has(action) || CALLED_FOR_IT.test(action))
    const Resource = resourcesOf(statement).filter((resource) => isSpelled(bundle, placeOf(resource)))
    if (Action.length === 0 || Resource.length === 0) return []
    const kept = { ...statement, Action, Resource: Resource.length === 1 ? Resource[0] : Resource }
    return withinPartitions(kept, (partition) => isSpelled(bundle, partition))
  }
  return Object.fromEntries(
    Object.entries(grants).map(([key, statements]) => [
      key,
      isOfLambda(key) ? statements : statements.flatMap(within),
    ]),
  )
}

/** The only partitions and folders that a bundle may touch, whatever its text spells; undefined sets no limit. */
export function confinedTo(only: readonly string[] | undefined, bundle: BundleContents): BundleContents {
  if (only === undefined) return bundle
  const isLimited = (name: string) => /^[A-Z]|\/$/.test(name)
  const names = [...bundle.names].filter((name) => !isLimited(name) || only.includes(name))
  return { ...bundle, names: new Set(names) }
}

const resourcesOf = ({ Resource }: Statement): unknown[] => [Resource].flat()

const isSpelled = ({ names }: BundleContents, name: string | undefined): boolean =>
  name === undefined || names.has(name)

const PLACE = /\.Arn\}\/(?:index\/(\w+)|([a-z]+\/)\*)$/

/** Returns the index or the folder of a resource: `gsi1` of `{Table.Arn}/index/gsi1`, `public/` of `{MediaBucket.Arn}/public/*`. */
export function placeOf(resource: unknown): string | undefined {
  const [, index, folder] = PLACE.exec(arnOf(resource)) ?? []
  return index ?? folder
}
