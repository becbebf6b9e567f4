import { enquiryStore } from '#lib/enquiries/enquiry-store.dynamo'
import { waitingMeasure } from '#lib/http/count'
import { job } from '#lib/http/job'
import { clock, ids } from '#lib/http/runtime'
import { listingStore } from '#lib/listings/listing-store.dynamo'
import { inbox } from '#lib/payments/callbacks/inbox.dynamo'
import { paymentStore } from '#lib/payments/payment-store.dynamo'
import { patience } from '#lib/payments/provider/patience.dynamo'
import { paymentProviders } from '#lib/payments/provider/registry'
import { requestStore } from '#lib/payments/requests/request-store.dynamo'
import { holdStore } from '#lib/payments/reservations/hold-store.dynamo'
import { reconcile } from '#lib/payments/upkeep/reconcile'

export const { spec, handler } = job({
  name: 'reconcilePayments',
  summary: 'Reads the payments that are due from their providers, closes pages and lets expired payments go',
  deps: {
    payments: paymentStore,
    requests: requestStore,
    holds: holdStore,
    enquiries: enquiryStore,
    listings: listingStore,
    inbox,
    providers: paymentProviders,
    patience,
    measure: waitingMeasure,
    now: clock,
    newId: ids,
  },
  run: (_event, deps) => reconcile(deps),
})
