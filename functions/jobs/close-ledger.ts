import { allowUnusedInTests } from '#lib/config'
import { job } from '#lib/http/job'
import { clock } from '#lib/http/runtime'
import { books } from '#lib/payments/ledger/books.dynamo'
import { closeLedger } from '#lib/payments/ledger/close-ledger'

export const { spec, handler } = job({
  name: 'closeLedger',
  summary: 'Stores the balances at the end of each day, so that a trial balance reads few days',
  deps: {
    books: allowUnusedInTests(
      books.only('sums', 'closing', 'close'),
      'stores balances only for a past day with postings; the tests of the books do so',
    ),
    now: clock,
  },
  run: (_event, deps) => closeLedger(deps),
})
