import { accountReader } from '#lib/accounts/account-reader.dynamo'
import { withUsesTestedElsewhere } from '#lib/config/config'
import { readNewItem } from '#lib/dynamo/stream'
import { consumer } from '#lib/http/consumer'
import { clock, ids } from '#lib/http/runtime'
import { changedPayoutStores } from '#lib/payouts/changed-payout-stores.dynamo'
import { followPayee } from '#lib/payouts/follow-payee'
import { payoutStore } from '#lib/payouts/payout-store.dynamo'

const BECAUSE = 'cancels payouts with the code of cancelPayout, whose tests use these permissions'

export const { spec, handler } = consumer({
  name: 'followPayees',
  summary:
    'Cancels the payouts of agents who are banned or no longer verified, and removes a payout account that was entered before a change of address was undone',
  deps: {
    ...changedPayoutStores,
    payouts: withUsesTestedElsewhere(
      payoutStore.only('get', 'underWay', 'replace', 'account', 'removeAccount', 'commit'),
      BECAUSE,
    ),
    accounts: withUsesTestedElsewhere(accountReader, BECAUSE),
    now: clock,
    newId: ids,
  },
  read: readNewItem,
  run: (item, deps) => followPayee(deps, item),
})
