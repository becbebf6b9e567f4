import { administrator } from '#lib/accounts/access'
import { enquiryStore } from '#lib/enquiries/enquiry-store.dynamo'
import { endpoint } from '#lib/http/endpoint'
import { clock, ids } from '#lib/http/runtime'
import { journal } from '#lib/journal/journal.dynamo'
import { NotificationId } from '#lib/kernel/id'
import { listingStore } from '#lib/listings/listing-store.dynamo'
import { inbox } from '#lib/payments/callbacks/inbox.dynamo'
import { Replay, ReplayRequest, replayNotification } from '#lib/payments/callbacks/replay-notification'
import { paymentStore } from '#lib/payments/payment-store.dynamo'
import { paymentProviders } from '#lib/payments/provider/registry'
import { requestStore } from '#lib/payments/requests/request-store.dynamo'
import { holdStore } from '#lib/payments/reservations/hold-store.dynamo'

export const { spec, handler } = endpoint({
  route: 'POST /admin/payments/notifications/{id}/replay',
  summary: 'Process a notification again',
  description:
    'With `dryRun` it only says what would change. What was processed, or is a CONFLICT, changes nothing; one that ' +
    'could not be read is read anew from its raw body.',
  access: administrator,
  input: { params: { id: NotificationId }, body: ReplayRequest },
  output: { 200: Replay },
  problems: ['unavailable'],
  deps: {
    payments: paymentStore,
    requests: requestStore,
    holds: holdStore,
    enquiries: enquiryStore,
    listings: listingStore,
    inbox,
    providers: paymentProviders,
    journal,
    now: clock,
    newId: ids,
  },
  run: ({ actor, params, body }, deps) =>
    replayNotification(deps, { id: params.id, administrator: actor.subject }, body),
})
