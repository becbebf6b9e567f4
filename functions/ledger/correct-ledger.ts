import { administrator } from '#lib/accounts/access'
import { accountReader } from '#lib/accounts/account-reader.dynamo'
import { demanded } from '#lib/dynamo/idempotency.dynamo'
import { endpoint } from '#lib/http/endpoint'
import { clock, ids } from '#lib/http/runtime'
import { journal } from '#lib/journal/journal.dynamo'
import { agentAccounts } from '#lib/ledger/agent-accounts.dynamo'
import { askedCorrections } from '#lib/ledger/asked-corrections.dynamo'
import { books } from '#lib/ledger/books.dynamo'
import { CorrectionDraft, correctLedger } from '#lib/ledger/correct-ledger'
import { StatementEntryView } from '#lib/ledger/list-statement'
import { payoutSettings } from '#lib/payouts/payout-settings'

export const { spec, handler } = endpoint({
  route: 'POST /admin/ledger/corrections',
  summary: 'Correct what an agent is owed',
  description:
    'The other side of the entry is the account `platform`. Above the limit of one administrator the request is refused with ' +
    '`second_person_needed` and kept for 24 hours. Another administrator then repeats the request, with `approvalOf` set to ' +
    'the `Idempotency-Key` of the refused one.',
  access: administrator(['payments'], { signIn: 'fresh' }),
  input: { body: CorrectionDraft },
  output: { 201: StatementEntryView },
  problems: ['second_person_needed', 'not_found', 'unavailable'],
  idempotency: demanded,
  deps: {
    accounts: accountReader,
    agentAccounts,
    askedCorrections,
    books,
    journal,
    payoutSettings,
    now: clock,
    newId: ids,
  },
  // `demanded` has refused a request without a key.
  run: ({ actor, body, request }, deps) =>
    correctLedger(deps, { administrator: actor.subject, key: request.idempotencyKey ?? '' }, body),
})
