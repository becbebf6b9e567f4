import { accountReader } from '#lib/accounts/account-reader.dynamo'
import { readNewItem } from '#lib/dynamo/stream'
import { enquiries } from '#lib/enquiries/enquiry-store.dynamo'
import { DomainEvent } from '#lib/events/event'
import { consumer } from '#lib/http/consumer'
import { clock, ids } from '#lib/http/runtime'
import { listingReader } from '#lib/listings/listing-reader.dynamo'
import { mailRequests } from '#lib/mail/mail-requests.dynamo'
import { openRecipientFinder } from '#lib/notifications/find-recipients'
import { notifications } from '#lib/notifications/notification-store.dynamo'
import { notify } from '#lib/notifications/notify'
import { requestReader } from '#lib/payment-requests/request-store.dynamo'
import { reportReader } from '#lib/reports/report-store.dynamo'

export const { spec, handler } = consumer({
  name: 'notifyPeople',
  summary: 'Notifies the recipients of events, once each for an event',
  deps: {
    notifications,
    mails: mailRequests,
    accounts: accountReader,
    listings: listingReader,
    enquiries,
    reports: reportReader,
    requests: requestReader,
    now: clock,
    newId: ids,
  },
  read: readNewItem,
  run: (item, deps) => notify({ ...deps, finder: openRecipientFinder(deps) }, DomainEvent.parse(item)),
})
