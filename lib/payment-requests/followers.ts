import { type BookDeps, bookChange } from '#lib/ledger/book-change'
import { type FollowDeps, followChange } from './follow-request.ts'

/** Joins to the dependencies of a change of a payment what follows the payment: the ledger, its request and its hold. */
export const withFollowers = <Deps extends BookDeps & FollowDeps>(deps: Deps) => ({
  ...deps,
  bookChange: bookChange(deps),
  followChange: followChange(deps),
})
