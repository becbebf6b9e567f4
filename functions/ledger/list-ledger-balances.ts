import { administrator } from '#lib/accounts/access'
import { endpoint } from '#lib/http/endpoint'
import { clock, ids } from '#lib/http/runtime'
import { journal } from '#lib/journal/journal.dynamo'
import { agentAccountReader } from '#lib/ledger/agent-accounts.dynamo'
import { bookReader } from '#lib/ledger/books.dynamo'
import { BalancesQuery, listBalances, TrialBalance } from '#lib/ledger/list-balances'

export const { spec, handler } = endpoint({
  route: 'GET /admin/ledger/balances',
  summary: 'The trial balance',
  description:
    'At the end of a UTC day, or now. All agents are one line, `agents`, unless `account` names one. The balances of each ' +
    'currency sum to zero. The journal records every reading.',
  access: administrator(['payments']),
  input: { query: BalancesQuery },
  output: { 200: TrialBalance },
  deps: { books: bookReader, agentAccounts: agentAccountReader, journal, now: clock, newId: ids },
  run: ({ actor, query }, deps) => listBalances(deps, actor.subject, query),
})
