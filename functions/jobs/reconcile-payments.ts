import { enquiries } from '#lib/enquiries/enquiry-store.dynamo'
import { waitingMeasure } from '#lib/http/count'
import { job } from '#lib/http/job'
import { clock, ids } from '#lib/http/runtime'
import { agentAccounts } from '#lib/ledger/agent-accounts.dynamo'
import { books } from '#lib/ledger/books.dynamo'
import { listings } from '#lib/listings/listing-store.dynamo'
import { withFollowers } from '#lib/payment-requests/followers'
import { holds } from '#lib/payment-requests/holds/hold-store.dynamo'
import { requests } from '#lib/payment-requests/request-store.dynamo'
import { callbacks } from '#lib/payments/callbacks/callback-store.dynamo'
import { payments } from '#lib/payments/payment-store.dynamo'
import { reconcile } from '#lib/payments/reconcile/reconcile-due'
import { circuitBreaker } from '#lib/providers/circuit-breaker.dynamo'
import { paymentProviders } from '#lib/providers/registry'
export const { spec, handler } = job({
  name: 'reconcilePayments',
  summary: 'Reads due payments from their providers, closes payment pages, and expires payments',
  deps: {
    payments,
    requests,
    holds,
    enquiries,
    listings,
    agentAccounts,
    books,
    callbacks,
    providers: paymentProviders,
    circuitBreaker,
    measure: waitingMeasure,
    now: clock,
    newId: ids,
  },
  run: (_event, deps) => reconcile(withFollowers(deps)),
})
