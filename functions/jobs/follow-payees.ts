import { accountReader } from '#lib/accounts/account-reader.dynamo'
import { EligibilityChange } from '#lib/accounts/eligibility'
import { allowUntested } from '#lib/config'
import { readNewItem } from '#lib/dynamo/stream'
import { consumer } from '#lib/http/consumer'
import { clock, ids } from '#lib/http/runtime'
import { cancelOfIneligible } from '#lib/payments/payouts/cancel-unsent'
import { changedPayoutStores } from '#lib/payments/payouts/changed-payout-stores.dynamo'
import { payoutStore } from '#lib/payments/payouts/payout-store.dynamo'

const AS_CANCELLED = 'cancels payouts as cancelPayout does, once an agent is no longer verified'

export const { spec, handler } = consumer({
  name: 'followPayees',
  summary: 'Cancels the payouts of agents who are banned or no longer verified',
  deps: {
    ...changedPayoutStores,
    payouts: allowUntested(payoutStore.only('get', 'byAgent', 'replace', 'commit'), AS_CANCELLED),
    accounts: allowUntested(accountReader, AS_CANCELLED),
    now: clock,
    newId: ids,
  },
  read: readNewItem,
  run: (item, deps) => cancelOfIneligible(deps, EligibilityChange.parse(item).userId),
})
