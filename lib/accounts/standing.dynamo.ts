import type { Write } from '#lib/kernel/write'
import { standingKey } from './account.keys.ts'
import type { Account } from './account.ts'

/**
 * Stores that a person's standing has changed, in the transaction that raises `standingRevision`. The table's stream
 * carries it to what depends on the standing. It does not say what changed: its readers read the account, so that
 * the newest decision wins.
 */
export const standingChanged = ({ id, standingRevision, updatedAt }: Account): Write => ({
  put: { ...standingKey(id), kind: 'standing', userId: id, revision: standingRevision, at: updatedAt },
})
