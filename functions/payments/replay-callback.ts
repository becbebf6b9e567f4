import { administrator } from '#lib/accounts/access'
import { enquiries } from '#lib/enquiries/enquiry-store.dynamo'
import { endpoint } from '#lib/http/endpoint'
import { clock, ids } from '#lib/http/runtime'
import { journal } from '#lib/journal/journal.dynamo'
import { CallbackId } from '#lib/kernel/id'
import { agentAccounts } from '#lib/ledger/agent-accounts.dynamo'
import { books } from '#lib/ledger/books.dynamo'
import { listings } from '#lib/listings/listing-store.dynamo'
import { withFollowers } from '#lib/payment-requests/followers'
import { holds } from '#lib/payment-requests/holds/hold-store.dynamo'
import { requests } from '#lib/payment-requests/request-store.dynamo'
import { callbacks } from '#lib/payments/callbacks/callback-store.dynamo'
import { Replay, ReplayRequest, replayCallback } from '#lib/payments/callbacks/replay-callback'
import { payments } from '#lib/payments/payment-store.dynamo'
import { paymentProviders } from '#lib/providers/registry'
export const { spec, handler } = endpoint({
  route: 'POST /admin/payments/callbacks/{id}/replay',
  summary: 'Process a callback again',
  description:
    'With `dryRun` it only says what would change. A callback that is PROCESSED or CONFLICT changes nothing. A callback ' +
    'that could not be interpreted is interpreted again from its raw body.',
  access: administrator(['payments']),
  input: { params: { id: CallbackId }, body: ReplayRequest },
  output: { 200: Replay },
  problems: ['unavailable'],
  deps: {
    payments,
    requests,
    holds,
    enquiries,
    listings,
    agentAccounts,
    books,
    callbacks,
    providers: paymentProviders,
    journal,
    now: clock,
    newId: ids,
  },
  run: ({ actor, params, body }, deps) =>
    replayCallback(withFollowers(deps), { id: params.id, administrator: actor.subject }, body),
})
