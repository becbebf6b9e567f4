import { job } from '#lib/http/job'
import { clock } from '#lib/http/runtime'
import { books } from '#lib/ledger/books.dynamo'
import { closeLedger } from '#lib/ledger/close-ledger'

export const { spec, handler } = job({
  name: 'closeLedger',
  summary: 'Stores the balances at the end of each day, so that a trial balance reads few days',
  deps: { books, now: clock },
  run: (_event, deps) => closeLedger(deps),
})
