import { user } from '#lib/accounts/access'
import { accountReader } from '#lib/accounts/account-reader.dynamo'
import { enquiries } from '#lib/enquiries/enquiry-store.dynamo'
import { endpoint } from '#lib/http/endpoint'
import { clock, ids } from '#lib/http/runtime'
import { PaymentRequestId } from '#lib/kernel/id'
import { agentAccounts } from '#lib/ledger/agent-accounts.dynamo'
import { bookChange } from '#lib/ledger/book-change'
import { books } from '#lib/ledger/books.dynamo'
import { listings } from '#lib/listings/listing-store.dynamo'
import { publicMediaLinks } from '#lib/media/store/public-media-links'
import { Cancellation, cancelRequest } from '#lib/payment-requests/cancel-request'
import { holds } from '#lib/payment-requests/holds/hold-store.dynamo'
import { requests } from '#lib/payment-requests/request-store.dynamo'
import { PaymentRequestView } from '#lib/payment-requests/request-view'
import { payments } from '#lib/payments/payment-store.dynamo'
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
    payments,
    requests,
    holds,
    enquiries,
    listings,
    agentAccounts,
    books,
    accounts: accountReader,
    links: publicMediaLinks,
    providers: paymentProviders,
    now: clock,
    newId: ids,
  },
  run: ({ actor, params, body }, deps) =>
    cancelRequest({ ...deps, bookChange: bookChange(deps) }, actor.userId, params.id, body),
})
