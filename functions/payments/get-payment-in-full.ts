import { administrator } from '#lib/accounts/access'
import { accountReader } from '#lib/accounts/account-reader.dynamo'
import { endpoint } from '#lib/http/endpoint'
import { clock } from '#lib/http/runtime'
import { PaymentId } from '#lib/kernel/id'
import { getAdministeredPayment, PaymentInFull } from '#lib/payments/administered-payment'
import { inbox } from '#lib/payments/callbacks/inbox.dynamo'
import { paymentStore } from '#lib/payments/payment-store.dynamo'

export const { spec, handler } = endpoint({
  route: 'GET /admin/payments/{id}',
  summary: 'A payment with its charges, disputes, notifications and ledger entries',
  description:
    'The newest hundred notifications, newest first; ledger entries oldest first. The entries of a payment sum to zero.',
  access: administrator,
  input: { params: { id: PaymentId } },
  output: { 200: PaymentInFull },
  deps: { payments: paymentStore, accounts: accountReader, inbox, now: clock },
  run: ({ params }, deps) => getAdministeredPayment(deps, params.id),
})
