import { accountStore } from '#lib/accounts/account-store.dynamo'
import { passwordStore } from '#lib/accounts/passwords/password-store.dynamo'
import { factorStore } from '#lib/accounts/second-factor/factor-store.dynamo'
import { withUsesTestedElsewhere } from '#lib/config/config'
import { job } from '#lib/http/job'
import { clock, ids } from '#lib/http/runtime'
import { kycStore } from '#lib/kyc/kyc-store.dynamo'
import { agentAccounts } from '#lib/ledger/agent-accounts.dynamo'
import { withFollowers } from '#lib/payment-requests/followers'
import { payoutSettings } from '#lib/payouts/payout-settings'
import { payoutStore } from '#lib/payouts/payout-store.dynamo'
import { deletions } from '#lib/privacy/deletions.dynamo'
import { erasedStores } from '#lib/privacy/erased-stores.dynamo'
import { ErasuresToRepeat, repeatErasures } from '#lib/privacy/repeat-erasures'

const BECAUSE = 'erases what followAccounts erases, but only if some of it came back'

export const { spec, handler } = job({
  name: 'repeatErasures',
  summary: 'Erases people whom a restored table has brought back; run it again until nobody is `waiting`',
  deps: {
    ...erasedStores,
    accounts: accountStore.only('get', 'remove', 'commit'),
    passwords: passwordStore.only('remove'),
    factors: factorStore.only('get', 'remove'),
    agentAccounts: withUsesTestedElsewhere(
      agentAccounts.only('get', 'ofAgent', 'heldPayments', 'change', 'close'),
      BECAUSE,
    ),
    payouts: payoutStore.only('underWay', 'removeAccount'),
    payoutSettings,
    kycStore: withUsesTestedElsewhere(
      kycStore.only('listDocuments', 'listWithdrawn', 'moveExpiry', 'removeDocument', 'commit'),
      BECAUSE,
    ),
    deletions: withUsesTestedElsewhere(deletions, BECAUSE),
    now: clock,
    newId: ids,
  },
  run: (event, deps) => repeatErasures(withFollowers(deps), ErasuresToRepeat.parse(event)),
})
