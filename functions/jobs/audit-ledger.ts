import { counter } from '#lib/http/count'
import { job } from '#lib/http/job'
import { clock } from '#lib/http/runtime'
import { auditLedger } from '#lib/ledger/audit-ledger'
import { bookReader } from '#lib/ledger/books.dynamo'
import { payments } from '#lib/payments/payment-store.dynamo'

export const { spec, handler } = job({
  name: 'auditLedger',
  summary:
    'Compares the ledger of every changed payment with the facts of the payment, and reports differences',
  deps: { payments, books: bookReader, now: clock, count: counter },
  run: (_event, deps) => auditLedger(deps),
})
