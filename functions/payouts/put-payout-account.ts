import { agent } from '#lib/accounts/access'
import { accountStore } from '#lib/accounts/account-store.dynamo'
import { steppedUp } from '#lib/accounts/sessions/access'
import { withUsesTestedElsewhere } from '#lib/config/config'
import { dataKeys } from '#lib/config/keys'
import { endpoint } from '#lib/http/endpoint'
import { clock, ids } from '#lib/http/runtime'
import { changedPayoutStores } from '#lib/payouts/changed-payout-stores.dynamo'
import { PayoutAccountInput, PayoutAccountView } from '#lib/payouts/payout-account'
import { payoutSettings } from '#lib/payouts/payout-settings'
import { payoutStore } from '#lib/payouts/payout-store.dynamo'
import { putPayoutAccount } from '#lib/payouts/put-payout-account'

export const { spec, handler } = endpoint({
  route: 'PUT /auth/profile/payout-account',
  summary: 'Say where to pay the caller to',
  description:
    'For a VERIFIED agent. `bank` takes an `iban`, or `accountNumber` and `bankCode`; `mobile_money` takes `phone` and ' +
    '`network`. After the first account and every change no payout goes out before `usableFrom`. A change cancels ' +
    'payouts that await approval or were not sent; the same account again changes nothing.',
  access: steppedUp(agent),
  input: { body: PayoutAccountInput },
  output: { 200: PayoutAccountView },
  problems: ['owner_not_verified', 'unavailable'],
  deps: {
    ...changedPayoutStores,
    payouts: withUsesTestedElsewhere(
      payoutStore.only('get', 'underWay', 'replace', 'account', 'putAccount', 'commit'),
      'cancels unsent payouts with the code of cancelPayout, whose tests use these permissions',
    ),
    accounts: accountStore.only('get', 'requireUnchanged', 'requireSession'),
    dataKeys,
    payoutSettings,
    now: clock,
    newId: ids,
  },
  run: ({ actor, body }, deps) => putPayoutAccount(deps, actor, body),
})
