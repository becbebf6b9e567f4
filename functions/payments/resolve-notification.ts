import { administrator } from '#lib/accounts/access'
import { enquiryStore } from '#lib/enquiries/enquiry-store.dynamo'
import { endpoint } from '#lib/http/endpoint'
import { clock, ids } from '#lib/http/runtime'
import { journal } from '#lib/journal/journal.dynamo'
import { NotificationId } from '#lib/kernel/id'
import { listingStore } from '#lib/listings/listing-store.dynamo'
import { inbox } from '#lib/payments/callbacks/inbox.dynamo'
import { NotificationView } from '#lib/payments/callbacks/notification-view'
import { NotificationResolution, resolveNotification } from '#lib/payments/callbacks/resolve-notification'
import { paymentStore } from '#lib/payments/payment-store.dynamo'
import { paymentProviders } from '#lib/payments/provider/registry'
import { requestStore } from '#lib/payments/requests/request-store.dynamo'
import { holdStore } from '#lib/payments/reservations/hold-store.dynamo'

export const { spec, handler } = endpoint({
  route: 'POST /admin/payments/notifications/{id}/resolve',
  summary: 'End a notification that needs someone',
  description: 'The same resolution again answers the same; any other state or action is a 409.',
  access: administrator,
  input: { params: { id: NotificationId }, body: NotificationResolution },
  output: { 200: NotificationView },
  problems: ['notification_not_resolvable', 'unavailable'],
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
    resolveNotification(deps, { id: params.id, administrator: actor.subject }, body),
})
