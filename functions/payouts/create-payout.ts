import { administrator } from '#lib/accounts/access'
import { accountReader } from '#lib/accounts/account-reader.dynamo'
import { demanded } from '#lib/dynamo/idempotency.dynamo'
import { endpoint } from '#lib/http/endpoint'
import { clock, ids } from '#lib/http/runtime'
import { journal } from '#lib/journal/journal.dynamo'
import { agentAccounts } from '#lib/ledger/agent-accounts.dynamo'
import { books } from '#lib/ledger/books.dynamo'
import { createPayout, PayoutDraft } from '#lib/payouts/create-payout'
import { PayoutView } from '#lib/payouts/payout'
import { payoutAccountReader } from '#lib/payouts/payout-account-store.dynamo'
import { payoutSettings } from '#lib/payouts/payout-settings'
import { payouts } from '#lib/payouts/payout-store.dynamo'
import { paymentProviders } from '#lib/providers/registry'

export const { spec, handler } = endpoint({
  route: 'POST /admin/payouts',
  summary: 'Pay an agent out',
  description:
    'Without an amount the payout is all that is available. The provider account that pays out in the currency sends it; ' +
    'without one it is paid by hand. The money leaves the agent’s balance at once, and a job sends the payout within a minute. ' +
    'Above the limit of one administrator the payout awaits the approval of another.',
  access: administrator(['payments'], { signIn: 'fresh' }),
  input: { body: PayoutDraft },
  output: { 201: PayoutView },
  location: '/admin/payouts/',
  problems: [
    'not_found',
    'owner_not_verified',
    'payout_account_missing',
    'payout_exceeds_balance',
    'unavailable',
  ],
  idempotency: demanded,
  deps: {
    payouts,
    payoutAccounts: payoutAccountReader,
    agentAccounts,
    books,
    accounts: accountReader,
    providers: paymentProviders,
    journal,
    payoutSettings,
    now: clock,
    newId: ids,
  },
  // `idempotency` adds `once` to the dependencies: it stores the answer in the transaction of the use case.
  run: ({ actor, body }, deps) => createPayout(deps, actor.subject, body, deps.once),
})
