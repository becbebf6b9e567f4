import { administrator } from '#lib/accounts/access'
import { accountReader } from '#lib/accounts/account-reader.dynamo'
import { endpoint } from '#lib/http/endpoint'
import { clock, ids } from '#lib/http/runtime'
import { journal } from '#lib/journal/journal.dynamo'
import { agentAccounts } from '#lib/ledger/agent-accounts.dynamo'
import { books } from '#lib/ledger/books.dynamo'
import { payoutAccountReader } from '#lib/payouts/payout-account-store.dynamo'
import { payoutSettings } from '#lib/payouts/payout-settings'
import { payouts } from '#lib/payouts/payout-store.dynamo'
import { PayoutRun, PayoutRunResult, runPayouts } from '#lib/payouts/run-payouts'
import { paymentProviders } from '#lib/providers/registry'

export const { spec, handler } = endpoint({
  route: 'POST /admin/payouts/run',
  summary: 'Pay every agent out who can be paid',
  description:
    'Each VERIFIED agent with a usable payout account and at least `minimum` available is paid all of it. `skipped` ' +
    'counts agents who have that much but cannot be paid. A repeated call pays nothing twice.',
  access: administrator(['payments'], { signIn: 'fresh' }),
  input: { body: PayoutRun },
  output: { 202: PayoutRunResult },
  problems: ['unavailable'],
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
  run: ({ actor, body }, deps) => runPayouts(deps, actor.subject, body),
})
