import { agent } from '#lib/accounts/access'
import { apiKeys } from '#lib/accounts/api-keys/access'
import { endpoint } from '#lib/http/endpoint'
import { clock } from '#lib/http/runtime'
import { agentAccountReader } from '#lib/ledger/agent-accounts.dynamo'
import { BalanceView, getBalance } from '#lib/payouts/get-balance'
import { payoutSettings } from '#lib/payouts/payout-settings'
import { payoutReader } from '#lib/payouts/payout-store.dynamo'

export const { spec, handler } = endpoint({
  route: 'GET /auth/profile/balance',
  summary: 'What the caller is owed, by currency',
  description:
    'Money of payments on the caller’s listings, less commission. `pending` is held back, `available` can be paid out, ' +
    '`onItsWay` is in payouts. `pending` and `available` add up to the balance of the statement.',
  access: agent,
  apiKeys: apiKeys('payments:read'),
  output: { 200: BalanceView },
  deps: { agentAccounts: agentAccountReader, payouts: payoutReader, payoutSettings, now: clock },
  run: ({ actor }, deps) => getBalance(deps, actor.userId),
})
