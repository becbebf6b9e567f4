import { user } from '#lib/accounts/access'
import { accountStore } from '#lib/accounts/account-store.dynamo'
import { cursors } from '#lib/dynamo/cursor'
import { enquiryStore } from '#lib/enquiries/enquiry-store.dynamo'
import { EnquiryView } from '#lib/enquiries/enquiry-view'
import { EnquiryQuery, listEnquiries } from '#lib/enquiries/list-enquiries'
import { endpoint } from '#lib/http/endpoint'
import { clock } from '#lib/http/runtime'
import { pageOf } from '#lib/kernel/page'
import { listingStore } from '#lib/listings/listing-store.dynamo'
import { mediaLinks } from '#lib/media/store/media-links.s3'

export const { spec, handler } = endpoint({
  route: 'GET /enquiries',
  summary: "The caller's enquiries, newest message first",
  description: 'Those that the caller sent or, as an agent, received.',
  access: user,
  input: { query: EnquiryQuery },
  output: { 200: pageOf(EnquiryView) },
  problems: ['invalid_cursor'],
  deps: {
    enquiries: enquiryStore,
    listings: listingStore,
    accounts: accountStore,
    links: mediaLinks,
    cursors,
    now: clock,
  },
  run: ({ actor, query }, deps) => listEnquiries(deps, actor.userId, query),
})
