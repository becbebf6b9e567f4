import { administrator } from '#lib/accounts/access'
import { accountReader } from '#lib/accounts/account-reader.dynamo'
import { cursors } from '#lib/dynamo/cursor'
import { endpoint } from '#lib/http/endpoint'
import { clock, ids } from '#lib/http/runtime'
import { journal } from '#lib/journal/journal.dynamo'
import { pageOf } from '#lib/kernel/page'
import { AdministeredPayment } from '#lib/payments/lists/administered-payment'
import { AllPaymentsQuery, listAllPayments } from '#lib/payments/lists/list-payments'
import { paymentReader } from '#lib/payments/payment-store.dynamo'

export const { spec, handler } = endpoint({
  route: 'GET /admin/payments',
  summary: "Everyone's payments, newest first",
  description:
    'Filters given together must all hold. `attention=true` lists only payments that an administrator must look at; their ' +
    '`attention` says why and since when, until the cause is gone. The journal records every reading.',
  access: administrator(['payments']),
  input: { query: AllPaymentsQuery },
  output: { 200: pageOf(AdministeredPayment) },
  problems: ['invalid_cursor'],
  deps: { payments: paymentReader, accounts: accountReader, cursors, journal, now: clock, newId: ids },
  run: ({ actor, query }, deps) => listAllPayments(deps, actor.subject, query),
})
