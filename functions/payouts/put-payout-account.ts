import { agent } from '#lib/accounts/access'
import { accountFinder } from '#lib/accounts/account-reader.dynamo'
import { steppedUp } from '#lib/accounts/sessions/access'
import { dataKeys } from '#lib/config/keys'
import { endpoint } from '#lib/http/endpoint'
import { clock, ids } from '#lib/http/runtime'
import { agentAccounts } from '#lib/ledger/agent-accounts.dynamo'
import { books } from '#lib/ledger/books.dynamo'
import { PayoutAccountInput, PayoutAccountView } from '#lib/payouts/payout-account'
import { payoutAccounts } from '#lib/payouts/payout-account-store.dynamo'
import { payoutSettings } from '#lib/payouts/payout-settings'
import { payouts } from '#lib/payouts/payout-store.dynamo'
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
    payouts,
    payoutAccounts,
    agentAccounts,
    books,
    accounts: accountFinder,
    dataKeys,
    payoutSettings,
    now: clock,
    newId: ids,
  },
  run: ({ actor, body }, deps) => putPayoutAccount(deps, actor, body),
})
