import { accountReader } from '#lib/accounts/account-reader.dynamo'
import { allowUntested } from '#lib/config'
import { journal } from '#lib/journal/journal.dynamo'
import { circuitBreaker } from '#lib/payments/provider/circuit-breaker.dynamo'
import { changedPayoutStores } from './changed-payout-stores.dynamo.ts'

/** The stores that a move of a payout by an administrator reads and writes. */
export const payoutMoveStores = {
  ...changedPayoutStores,
  accounts: accountReader,
  journal: journal.only('record'),
}

/** The stores that the end of a payout, as an administrator states it, reads and writes. */
export const payoutEndStores = {
  ...payoutMoveStores,
  circuitBreaker: allowUntested(
    circuitBreaker.only('of', 'countFailure', 'open', 'close'),
    'asks a provider only of a payout that one was sent to',
  ),
}
