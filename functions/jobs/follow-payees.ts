import { accountReader } from '#lib/accounts/account-reader.dynamo'
import { EligibilityChange } from '#lib/accounts/eligibility'
import { readNewItem } from '#lib/dynamo/stream'
import { consumer } from '#lib/http/consumer'
import { clock, ids } from '#lib/http/runtime'
import { cancelOfIneligible } from '#lib/payments/payouts/cancel-unsent'
import { changedPayoutStores } from '#lib/payments/payouts/changed-payout-stores.dynamo'

export const { spec, handler } = consumer({
  name: 'followPayees',
  summary: 'Cancels the payouts of agents who are banned or no longer verified',
  deps: { ...changedPayoutStores, accounts: accountReader, now: clock, newId: ids },
  read: readNewItem,
  run: (item, deps) => cancelOfIneligible(deps, EligibilityChange.parse(item).userId),
})
