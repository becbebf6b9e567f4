import { readNewItem } from '#lib/dynamo/stream'
import { enquiryStore } from '#lib/enquiries/enquiry-store.dynamo'
import { DomainEvent } from '#lib/events/event'
import { consumer } from '#lib/http/consumer'
import { clock, ids } from '#lib/http/runtime'
import { listingStore } from '#lib/listings/listing-store.dynamo'
import { mailRequests } from '#lib/mail/mail-requests.dynamo'
import { concernedBy } from '#lib/notifications/concerned'
import { inbox } from '#lib/notifications/inbox.dynamo'
import { tellOf } from '#lib/notifications/tell'
import { reportStore } from '#lib/reports/report-store.dynamo'

export const { spec, handler } = consumer({
  name: 'tellPeople',
  summary: 'Tells people what concerns them, once each for an event',
  deps: {
    inbox,
    mails: mailRequests,
    listings: listingStore,
    enquiries: enquiryStore,
    reports: reportStore,
    now: clock,
    newId: ids,
  },
  read: readNewItem,
  run: (item, deps) => tellOf({ ...deps, concerned: concernedBy(deps) }, DomainEvent.parse(item)),
})
