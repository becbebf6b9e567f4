import { withUsesTestedElsewhere } from '#lib/config/config'
import { journal } from '#lib/journal/journal.dynamo'
import { circuitBreaker } from '#lib/providers/circuit-breaker.dynamo'
import { changedPayoutStores } from './changed-payout-stores.dynamo.ts'

/** The stores that a move of a payout by an administrator reads and writes. */
export const payoutMoveStores = {
  ...changedPayoutStores,
  journal: journal.only('record'),
}

/** The stores that settling or failing a payout by hand reads and writes. */
export const payoutEndStores = {
  ...payoutMoveStores,
  circuitBreaker: withUsesTestedElsewhere(
    circuitBreaker.only('of', 'countFailure', 'open', 'close'),
    'a provider is asked only about a payout that was sent to it',
  ),
}
