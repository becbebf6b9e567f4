import { user } from '#lib/accounts/access'
import { endpoint } from '#lib/http/endpoint'
import { clock, ids } from '#lib/http/runtime'
import { PaymentId } from '#lib/kernel/id'
import { withFollowers } from '#lib/payment-requests/followers'
import { paymentChangeStores } from '#lib/payment-requests/payment-change-stores.dynamo'
import { cancelPayment } from '#lib/payments/checkout/cancel-payment'
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
    ...paymentChangeStores,
    providers: paymentProviders,
    now: clock,
    newId: ids,
  },
  run: ({ actor, params }, deps) => cancelPayment(withFollowers(deps), actor.account, params.id),
})
