import { shardedKey } from '#lib/dynamo/lists'
import type { ActionId } from '#lib/kernel/id'
import type { Key } from '#lib/kernel/write'

/** The sharded list of all entries. It holds the entries themselves, not references to them. */
export const ACTIONS = 'ACTIONS'

/** An entry of the journal. */
export const actionKey = (id: ActionId): Key => shardedKey(ACTIONS, id)

/** The index entries that list an entry of the journal by its subject and by its administrator. */
export const actionIndexes = (subject: string, by: string, id: ActionId) => ({
  gsi1pk: actionsOfPartition(subject),
  gsi1sk: id,
  gsi2pk: actionsByPartition(by),
  gsi2sk: id,
})

/** The entries of a subject, by the index `gsi1`. */
export const actionsOfPartition = (subject: string): string => `ACTIONS-OF#${subject}`

/** The entries of an administrator, by the index `gsi2`. */
export const actionsByPartition = (by: string): string => `ACTIONS-BY#${by}`
