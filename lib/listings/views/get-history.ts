import * as z from 'zod'
import type { AccountReader } from '#lib/accounts/account-store'
import type { Clock } from '#lib/kernel/clock'
import type { ListingId } from '#lib/kernel/id'
import type { Listing } from '../listing.ts'
import { ListingMove, type ListingReader } from '../listing-store.ts'
import { getOwnListing } from '../read-listing.ts'
import type { ListingCaller } from '../viewer.ts'

/** An entry of the history, as its reader sees it. */
export const ListingMoveView = ListingMove.omit({ id: true }).extend({
  // A stored entry may lack its field, and then has a default. An answer always has the field.
  field: z.enum(['status', 'availability']),
  by: z.string().meta({
    example: 'usr_01KAH3M6XQ8ZJ4T2V7W9C5RBND',
    description:
      "The owner's id, or `system`; an administrator's subject for administrators, `administrator` for the owner",
  }),
  note: z.string().nullable().meta({ description: 'Null for the owner' }),
})

type Deps = { listings: ListingReader; accounts: AccountReader; now: Clock }

/**
 * Returns the history of a listing, oldest first, for its owner and administrators. The owner reads that an
 * administrator decided, the reasons and the message, but neither the administrator's id nor the note.
 */
export async function getHistory(deps: Deps, caller: NonNullable<ListingCaller>, id: ListingId) {
  const { listing, viewer } = await getOwnListing(deps, caller, id)
  const moves = await deps.listings.moves(id)
  return { items: viewer === 'administrator' ? moves : movesForOwner(listing, moves) }
}

/** Returns a listing's moves as its owner may see them. */
export function movesForOwner({ agentId }: Pick<Listing, 'agentId'>, moves: ListingMove[]) {
  const isAdministrator = (by: string) => by !== agentId && by !== 'system'
  return moves.map((move) => ({
    ...move,
    by: isAdministrator(move.by) ? 'administrator' : move.by,
    note: null,
  }))
}
