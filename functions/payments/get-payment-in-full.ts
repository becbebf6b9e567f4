import { administrator } from '#lib/accounts/access'
import { accountReader } from '#lib/accounts/account-reader.dynamo'
import { endpoint } from '#lib/http/endpoint'
import { clock, ids } from '#lib/http/runtime'
import { journal } from '#lib/journal/journal.dynamo'
import { PaymentId } from '#lib/kernel/id'
import { readEntries } from '#lib/ledger/book-change'
import { bookReader } from '#lib/ledger/books.dynamo'
import { callbackReader } from '#lib/payments/callbacks/callback-store.dynamo'
import { getAdministeredPayment, PaymentInFull } from '#lib/payments/lists/administered-payment'
import { paymentReader } from '#lib/payments/payment-store.dynamo'

export const { spec, handler } = endpoint({
  route: 'GET /admin/payments/{id}',
  summary: 'A payment with its charges, disputes, callbacks and ledger entries',
  description:
    'The newest hundred callbacks, newest first; ledger entries oldest first. The entries of a payment sum to zero. ' +
    'The journal records every reading.',
  access: administrator(['payments']),
  input: { params: { id: PaymentId } },
  output: { 200: PaymentInFull },
  deps: {
    payments: paymentReader,
    books: bookReader,
    accounts: accountReader,
    callbacks: callbackReader,
    journal,
    now: clock,
    newId: ids,
  },
  run: ({ actor, params }, deps) =>
    getAdministeredPayment({ ...deps, readEntries: readEntries(deps) }, actor.subject, params.id),
})
