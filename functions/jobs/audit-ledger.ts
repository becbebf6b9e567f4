import { counter } from '#lib/http/count'
import { job } from '#lib/http/job'
import { clock } from '#lib/http/runtime'
import { auditLedger } from '#lib/ledger/audit-ledger'
import { books } from '#lib/ledger/books.dynamo'
import { paymentStore } from '#lib/payments/payment-store.dynamo'

export const { spec, handler } = job({
  name: 'auditLedger',
  summary:
    'Compares the ledger of every changed payment with the facts of the payment, and reports differences',
  deps: {
    payments: paymentStore.only('get', 'toAudit', 'markAudited', 'commit'),
    books: books.only('postings'),
    now: clock,
    count: counter,
  },
  run: (_event, deps) => auditLedger(deps),
})
