import { agent } from '#lib/accounts/access'
import { dataKeys } from '#lib/config/keys'
import { endpoint } from '#lib/http/endpoint'
import { PayoutAccountView } from '#lib/payouts/payout-account'
import { payoutAccountReader } from '#lib/payouts/payout-account-store.dynamo'
import { getPayoutAccount } from '#lib/payouts/put-payout-account'

export const { spec, handler } = endpoint({
  route: 'GET /auth/profile/payout-account',
  summary: 'Where the caller is paid to',
  description: 'Of the number only the last four characters are shown. Without an account the answer is 404.',
  access: agent,
  output: { 200: PayoutAccountView },
  problems: ['not_found'],
  deps: { payoutAccounts: payoutAccountReader, dataKeys },
  run: ({ actor }, deps) => getPayoutAccount(deps, actor.userId),
})
