import { administrator } from '#lib/accounts/access'
import { accountReader } from '#lib/accounts/account-reader.dynamo'
import { journal } from '#lib/journal/journal.dynamo'
import { PayoutId } from '#lib/kernel/id'
import { changedPayoutStores } from './changed-payout-stores.dynamo.ts'
import { PayoutView } from './payout.ts'

/** What the endpoints have in common by which administrators move a payout. */
export const movedPayout = {
  access: administrator(['payments'], { signIn: 'fresh' }),
  input: { params: { id: PayoutId } },
  output: { 200: PayoutView },
  problems: ['payout_transition_not_allowed', 'unavailable'],
  deps: { ...changedPayoutStores, accounts: accountReader, journal },
} as const
