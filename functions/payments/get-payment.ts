import { user } from '#lib/accounts/access'
import { endpoint } from '#lib/http/endpoint'
import { clock } from '#lib/http/runtime'
import { PaymentId } from '#lib/kernel/id'
import { getPayment } from '#lib/payments/lists/get-payment'
import { paymentReader } from '#lib/payments/payment-store.dynamo'
import { PaymentView } from '#lib/payments/payment-view'

export const { spec, handler } = endpoint({
  route: 'GET /payments/{id}',
  summary: "One of the caller's payments",
  description:
    'Read it again while its status is PENDING or PROCESSING: a payer’s return from the provider’s page proves ' +
    'nothing. A late SUCCEEDED may follow FAILED, CANCELLED or EXPIRED. Another person’s payment is a 404.',
  access: user,
  input: { params: { id: PaymentId } },
  output: { 200: PaymentView },
  deps: { payments: paymentReader, now: clock },
  run: ({ actor, params }, deps) => getPayment(deps, actor.account, params.id),
})
