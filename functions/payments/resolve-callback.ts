import { administrator, demandFreshSignInIf } from '#lib/accounts/access'
import { enquiries } from '#lib/enquiries/enquiry-store.dynamo'
import { endpoint } from '#lib/http/endpoint'
import { clock, ids, settings } from '#lib/http/runtime'
import { journal } from '#lib/journal/journal.dynamo'
import { CallbackId } from '#lib/kernel/id'
import { agentAccounts } from '#lib/ledger/agent-accounts.dynamo'
import { books } from '#lib/ledger/books.dynamo'
import { listings } from '#lib/listings/listing-store.dynamo'
import { withFollowers } from '#lib/payment-requests/followers'
import { holds } from '#lib/payment-requests/holds/hold-store.dynamo'
import { requests } from '#lib/payment-requests/request-store.dynamo'
import { callbacks } from '#lib/payments/callbacks/callback-store.dynamo'
import { CallbackView } from '#lib/payments/callbacks/callback-view'
import { CallbackResolution, resolveCallback } from '#lib/payments/callbacks/resolve-callback'
import { payments } from '#lib/payments/payment-store.dynamo'
import { paymentProviders } from '#lib/providers/registry'
export const { spec, handler } = endpoint({
  route: 'POST /admin/payments/callbacks/{id}/resolve',
  summary: 'Resolve a callback that an administrator must look at',
  description:
    'The same resolution again answers the same. Any other action, or a callback in another state, is a 409.',
  access: administrator(['payments']),
  input: { params: { id: CallbackId }, body: CallbackResolution },
  output: { 200: CallbackView },
  problems: ['callback_not_resolvable', 'step_up_required', 'unavailable'],
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
    settings,
    now: clock,
    newId: ids,
  },
  run: ({ actor, params, body }, deps) => {
    demandFreshSignInIf(body.action !== 'DISMISS', deps, actor)
    return resolveCallback(withFollowers(deps), { id: params.id, administrator: actor.subject }, body)
  },
})
