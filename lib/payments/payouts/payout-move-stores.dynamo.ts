import { accountReader } from '#lib/accounts/account-reader.dynamo'
import { journal } from '#lib/journal/journal.dynamo'
import { changedPayoutStores } from './changed-payout-stores.dynamo.ts'

/** The stores that a move of a payout by an administrator reads and writes. */
export const payoutMoveStores = {
  ...changedPayoutStores,
  accounts: accountReader,
  journal: journal.only('record'),
}
