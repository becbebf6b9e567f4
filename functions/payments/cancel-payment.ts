import { user } from '#lib/accounts/access'
import { enquiries } from '#lib/enquiries/enquiry-store.dynamo'
import { endpoint } from '#lib/http/endpoint'
import { clock, ids } from '#lib/http/runtime'
import { PaymentId } from '#lib/kernel/id'
import { agentAccounts } from '#lib/ledger/agent-accounts.dynamo'
import { books } from '#lib/ledger/books.dynamo'
import { listings } from '#lib/listings/listing-store.dynamo'
import { withFollowers } from '#lib/payment-requests/followers'
import { holds } from '#lib/payment-requests/holds/hold-store.dynamo'
import { requests } from '#lib/payment-requests/request-store.dynamo'
import { cancelPayment } from '#lib/payments/checkout/cancel-payment'
import { payments } from '#lib/payments/payment-store.dynamo'
import { PaymentView } from '#lib/payments/payment-view'
import { paymentProviders } from '#lib/providers/registry'

export const { spec, handler } = endpoint({
  route: 'POST /payments/{id}/cancel',
  summary: 'Cancel a payment that is PENDING',
  description:
    'The checkout is closed at the provider if the provider can do that. If the money arrives nevertheless, the payment ' +
    'becomes SUCCEEDED.',
  access: user,
  input: { params: { id: PaymentId } },
  output: {
    200: PaymentView.meta({
      example: { status: 'CANCELLED', amountPaid: 0, receiptNumber: null, events: [] },
    }),
  },
  problems: ['payment_transition_not_allowed'],
  deps: {
    payments,
    requests,
    holds,
    enquiries,
    listings,
    agentAccounts,
    books,
    providers: paymentProviders,
    now: clock,
    newId: ids,
  },
  run: ({ actor, params }, deps) => cancelPayment(withFollowers(deps), actor.account, params.id),
})
