import { user } from '#lib/accounts/access'
import { cursors } from '#lib/dynamo/cursor'
import { endpoint } from '#lib/http/endpoint'
import { clock } from '#lib/http/runtime'
import { pageOf } from '#lib/kernel/page'
import { listPayments, PaymentsQuery } from '#lib/payments/lists/list-payments'
import { paymentReader } from '#lib/payments/payment-store.dynamo'
import { PaymentView } from '#lib/payments/payment-view'

export const { spec, handler } = endpoint({
  route: 'GET /payments',
  summary: "The caller's payments, newest first",
  description:
    'Those that the caller began, with or without success; after a never verified account was taken back by a reset, ' +
    'those since then. Payments on an agent’s own listings are at `GET ' +
    '/listings/{id}/payments`.',
  access: user,
  input: { query: PaymentsQuery },
  output: { 200: pageOf(PaymentView) },
  problems: ['invalid_cursor'],
  deps: { payments: paymentReader, cursors, now: clock },
  run: ({ actor, query }, deps) => listPayments(deps, actor.account, query),
})
