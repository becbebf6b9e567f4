import { agent } from '#lib/accounts/access'
import { apiKeys } from '#lib/accounts/api-keys/access'
import { cursors } from '#lib/dynamo/cursor'
import { endpoint } from '#lib/http/endpoint'
import { orCsv } from '#lib/http/reply'
import { replyFiled } from '#lib/http/reply-filed'
import { pageOf } from '#lib/kernel/page'
import { agentAccountReader } from '#lib/ledger/agent-accounts.dynamo'
import { ledgerFiles } from '#lib/ledger/ledger-files.s3'
import {
  exportStatement,
  listStatement,
  StatementEntryView,
  StatementQuery,
} from '#lib/ledger/list-statement'
import { listingReader } from '#lib/listings/listing-reader.dynamo'

export const { spec, handler } = endpoint({
  route: 'GET /auth/profile/statement',
  summary: 'The caller’s statement in one currency, newest first',
  description:
    '`from` is included, `to` is not; both are UTC days. With `Accept: text/csv` the answer is the whole span as a file, ' +
    'oldest first. Then both days are required, at most 92 apart, and `limit` and `cursor` are refused. A file beyond 5 MB ' +
    'is answered by a 303 to a private link.',
  access: agent,
  apiKeys: apiKeys('payments:read'),
  input: { query: StatementQuery },
  output: { 200: orCsv(pageOf(StatementEntryView)), 303: null },
  problems: ['invalid_cursor'],
  deps: { agentAccounts: agentAccountReader, listings: listingReader, cursors, files: ledgerFiles },
  run: ({ actor, query, request }, deps) =>
    replyFiled(request, {
      view: () => listStatement(deps, actor.userId, query),
      csv: () => exportStatement(deps, actor.userId, query),
      store: deps.files.store,
    }),
})
