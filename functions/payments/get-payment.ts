import { accountStore } from '#lib/accounts/account-store.dynamo'
import { user } from '#lib/http/access'
import { endpoint } from '#lib/http/endpoint'
import { clock } from '#lib/http/runtime'
import { PaymentId } from '#lib/kernel/id'
import { getPayment } from '#lib/payments/get-payment'
import { paymentStore } from '#lib/payments/payment-store.dynamo'
import { PaymentView } from '#lib/payments/payment-view'

export const { spec, handler } = endpoint({
  route: 'GET /payments/{id}',
  summary: "One of the caller's payments",
  access: user,
  input: { params: { id: PaymentId } },
  output: { 200: PaymentView },
  deps: { payments: paymentStore, accounts: accountStore, now: clock },
  run: async ({ actor, params }, deps) => ({
    status: 200,
    body: await getPayment(deps, actor.userId, params.id),
  }),
})
