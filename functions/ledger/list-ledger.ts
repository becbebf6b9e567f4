import { administrator } from '#lib/accounts/access'
import { cursors } from '#lib/dynamo/cursor'
import { endpoint } from '#lib/http/endpoint'
import { orCsv } from '#lib/http/reply'
import { replyFiled } from '#lib/http/reply-filed'
import { clock, ids } from '#lib/http/runtime'
import { journal } from '#lib/journal/journal.dynamo'
import { pageOf } from '#lib/kernel/page'
import { bookReader } from '#lib/ledger/books.dynamo'
import { ledgerFiles } from '#lib/ledger/ledger-files.s3'
import { exportLedger, LedgerQuery, listLedger, PostingView } from '#lib/ledger/list-ledger'

export const { spec, handler } = endpoint({
  route: 'GET /admin/ledger',
  summary: 'Every posting, oldest first',
  description:
    'A debit is positive, a credit negative; the postings of one `transaction` sum to zero. `from` is included, `to` is ' +
    'not; both are UTC days. With `Accept: text/csv` the answer is the whole span as a file. Then both days are required, at ' +
    'most 92 apart, and `limit` and `cursor` are refused. A file beyond 5 MB is answered by a 303 to a private link. The ' +
    'journal records every reading.',
  access: administrator(['payments']),
  input: { query: LedgerQuery },
  output: { 200: orCsv(pageOf(PostingView)), 303: null },
  problems: ['invalid_cursor'],
  deps: { books: bookReader, journal, cursors, files: ledgerFiles, now: clock, newId: ids },
  run: ({ actor, query, request }, deps) =>
    replyFiled(request, {
      view: () => listLedger(deps, actor.subject, query),
      csv: () => exportLedger(deps, actor.subject, query),
      store: deps.files.store,
    }),
})
