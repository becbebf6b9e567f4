import type { UserId } from '#lib/kernel/id'

/**
 * The relation of a reader to a listing. Customers read public fields, the owner also pending changes and reasons,
 * administrators also notes.
 */
export type Viewer = 'customer' | 'owner' | 'administrator'

/** The caller of an endpoint about a listing; null without a token. */
export type ListingCaller = { kind: 'user'; userId: UserId } | { kind: 'administrator' } | null

/** Returns the relation of a caller to a listing. */
export const viewerOf = ({ agentId }: { agentId: UserId }, caller: ListingCaller): Viewer => {
  if (caller?.kind === 'administrator') return 'administrator'
  return caller?.userId === agentId ? 'owner' : 'customer'
}
