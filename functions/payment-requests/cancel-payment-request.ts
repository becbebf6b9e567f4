import { user } from '#lib/accounts/access'
import { accountReader } from '#lib/accounts/account-reader.dynamo'
import { withUsesTestedElsewhere } from '#lib/config/config'
import { endpoint } from '#lib/http/endpoint'
import { clock, ids } from '#lib/http/runtime'
import { PaymentRequestId } from '#lib/kernel/id'
import { bookChange } from '#lib/ledger/book-change'
import { listingStore } from '#lib/listings/listing-store.dynamo'
import { publicMediaLinks } from '#lib/media/store/public-media-links'
import { Cancellation, cancelRequest } from '#lib/payment-requests/cancel-request'
import { paymentChangeStores } from '#lib/payment-requests/payment-change-stores.dynamo'
import { requestStore } from '#lib/payment-requests/request-store.dynamo'
import { PaymentRequestView } from '#lib/payment-requests/request-view'
import { paymentProviders } from '#lib/providers/registry'

export const { spec, handler } = endpoint({
  route: 'POST /payment-requests/{id}/cancel',
  summary: 'Cancel a payment request',
  description:
    'For the owner of the request; the customer is refused with 403. A PENDING payment of the request is cancelled with it. ' +
    'While a payment of it is PROCESSING, the answer is 409 with the `paymentId`. With `series` no further request of the ' +
    'series is made.',
  access: user,
  input: { params: { id: PaymentRequestId }, body: Cancellation },
  output: { 200: PaymentRequestView.meta({ example: { status: 'CANCELLED' } }) },
  problems: ['payment_request_in_progress', 'payment_request_not_open'],
  deps: {
    ...paymentChangeStores,
    listings: withUsesTestedElsewhere(
      listingStore.only(
        'get',
        'getMany',
        'replace',
        'recordMove',
        'availabilityCalls',
        'requireAvailabilityCalls',
      ),
      'writes the listing only if the request held it',
    ),
    requests: requestStore.only('get', 'getSeries', 'endSeries', 'replace', 'commit'),
    accounts: accountReader,
    links: publicMediaLinks,
    providers: paymentProviders,
    now: clock,
    newId: ids,
  },
  run: ({ actor, params, body }, deps) =>
    cancelRequest({ ...deps, bookChange: bookChange(deps) }, actor.userId, params.id, body),
})
