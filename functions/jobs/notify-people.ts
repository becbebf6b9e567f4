import { accountReader } from '#lib/accounts/account-reader.dynamo'
import { withUsesTestedElsewhere } from '#lib/config/config'
import { readNewItem } from '#lib/dynamo/stream'
import { enquiryStore } from '#lib/enquiries/enquiry-store.dynamo'
import { DomainEvent } from '#lib/events/event'
import { consumer } from '#lib/http/consumer'
import { clock, ids } from '#lib/http/runtime'
import { listingStore } from '#lib/listings/listing-store.dynamo'
import { mailRequests } from '#lib/mail/mail-requests.dynamo'
import { openRecipientFinder } from '#lib/notifications/find-recipients'
import { notificationStore } from '#lib/notifications/notification-store.dynamo'
import { notify } from '#lib/notifications/notify'
import { requestStore } from '#lib/payment-requests/request-store.dynamo'
import { reportStore } from '#lib/reports/report-store.dynamo'

export const { spec, handler } = consumer({
  name: 'notifyPeople',
  summary: 'Notifies the recipients of events, once each for an event',
  deps: {
    notifications: withUsesTestedElsewhere(
      notificationStore.only(
        'state',
        'notificationOf',
        'add',
        'claimMail',
        'isMailed',
        'addToDigest',
        'commit',
      ),
      'addToDigest runs only for notifications of savers, which notifySavers makes',
    ),
    mails: mailRequests,
    accounts: accountReader,
    listings: listingStore.only('get', 'move'),
    enquiries: enquiryStore.only('get', 'ofListing', 'replace', 'commit'),
    reports: reportStore.only('get', 'between'),
    requests: requestStore.only('get'),
    now: clock,
    newId: ids,
  },
  read: readNewItem,
  run: (item, deps) => notify({ ...deps, finder: openRecipientFinder(deps) }, DomainEvent.parse(item)),
})
