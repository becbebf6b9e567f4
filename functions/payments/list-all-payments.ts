import { accountStore } from '#lib/accounts/account-store.dynamo'
import { cursors } from '#lib/dynamo/cursor'
import { administrator } from '#lib/http/access'
import { endpoint } from '#lib/http/endpoint'
import { clock } from '#lib/http/runtime'
import { pageOf } from '#lib/kernel/page'
import { AdministeredPayment } from '#lib/payments/administered-payment'
import { AllPaymentsQuery, listAllPayments } from '#lib/payments/list-payments'
import { paymentStore } from '#lib/payments/payment-store.dynamo'

export const { spec, handler } = endpoint({
  route: 'GET /admin/payments',
  summary: "Everyone's payments, newest first",
  access: administrator,
  input: { query: AllPaymentsQuery },
  output: { 200: pageOf(AdministeredPayment) },
  problems: ['invalid_cursor'],
  deps: { payments: paymentStore, accounts: accountStore, cursors, now: clock },
  run: async ({ query }, deps) => ({ status: 200, body: await listAllPayments(deps, query) }),
})
