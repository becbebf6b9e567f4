import { administrator } from '#lib/accounts/access'
import { accountReader } from '#lib/accounts/account-reader.dynamo'
import { endpoint } from '#lib/http/endpoint'
import { clock, ids } from '#lib/http/runtime'
import { journal } from '#lib/journal/journal.dynamo'
import { PayoutId } from '#lib/kernel/id'
import { changedPayoutStores } from '#lib/payments/payouts/changed-payout-stores.dynamo'
import { PayoutSettlement, settlePayout } from '#lib/payments/payouts/move-payout'
import { PayoutView } from '#lib/payments/payouts/payout'
import { circuitBreaker } from '#lib/payments/provider/circuit-breaker.dynamo'
import { paymentProviders } from '#lib/payments/provider/registry'

export const { spec, handler } = endpoint({
  route: 'POST /admin/payouts/{id}/settle',
  summary: 'Say that a payout was paid',
  description:
    'For payouts by hand, and for those whose provider cannot say what became of them. The same again: 200.',
  access: administrator(['payments'], { signIn: 'fresh' }),
  input: { params: { id: PayoutId }, body: PayoutSettlement },
  output: { 200: PayoutView },
  problems: ['payout_transition_not_allowed', 'unavailable'],
  deps: {
    ...changedPayoutStores,
    accounts: accountReader,
    providers: paymentProviders,
    circuitBreaker,
    journal,
    now: clock,
    newId: ids,
  },
  run: ({ actor, params, body }, deps) =>
    settlePayout(deps, { id: params.id, administrator: actor.subject }, body),
})
