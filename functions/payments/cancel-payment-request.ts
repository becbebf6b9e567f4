import { user } from '#lib/accounts/access'
import { accountReader } from '#lib/accounts/account-reader.dynamo'
import { enquiryStore } from '#lib/enquiries/enquiry-store.dynamo'
import { endpoint } from '#lib/http/endpoint'
import { clock, ids } from '#lib/http/runtime'
import { PaymentRequestId } from '#lib/kernel/id'
import { listingReader } from '#lib/listings/listing-reader.dynamo'
import { mediaLinks } from '#lib/media/store/media-links.s3'
import { cancelRequest } from '#lib/payments/requests/cancel-request'
import { requestStore } from '#lib/payments/requests/request-store.dynamo'
import { PaymentRequestView } from '#lib/payments/requests/request-view'

export const { spec, handler } = endpoint({
  route: 'POST /payment-requests/{id}/cancel',
  summary: 'Cancel a payment request',
  description:
    'For its owner; the customer is refused with 403. A cancelled one is 200 again. While a payment of it is under way, ' +
    '409 with its `paymentId`.',
  access: user,
  input: { params: { id: PaymentRequestId } },
  output: { 200: PaymentRequestView },
  problems: ['payment_request_in_progress', 'payment_request_not_open'],
  deps: {
    requests: requestStore,
    enquiries: enquiryStore,
    listings: listingReader,
    accounts: accountReader,
    links: mediaLinks,
    now: clock,
    newId: ids,
  },
  run: ({ actor, params }, deps) => cancelRequest(deps, actor.userId, params.id),
})
