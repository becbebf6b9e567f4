import { user } from '#lib/accounts/access'
import { accountReader } from '#lib/accounts/account-reader.dynamo'
import { apiKeys, roleFor } from '#lib/accounts/api-keys/access'
import { cursors } from '#lib/dynamo/cursor'
import { enquiryReader } from '#lib/enquiries/enquiry-store.dynamo'
import { EnquiryView } from '#lib/enquiries/enquiry-view'
import { EnquiryQuery, listEnquiries } from '#lib/enquiries/list-enquiries'
import { endpoint } from '#lib/http/endpoint'
import { clock } from '#lib/http/runtime'
import { pageOf } from '#lib/kernel/page'
import { listingReader } from '#lib/listings/listing-reader.dynamo'
import { publicMediaLinks } from '#lib/media/store/public-media-links'

export const { spec, handler } = endpoint({
  route: 'GET /enquiries',
  summary: "The caller's enquiries, newest message first",
  description:
    'With `role=sent` the enquiries that the caller sent, with `role=received` those that the caller received as an agent.',
  access: user,
  apiKeys: apiKeys('enquiries:read'),
  input: { query: EnquiryQuery },
  output: { 200: pageOf(EnquiryView) },
  problems: ['invalid_cursor'],
  deps: {
    enquiries: enquiryReader,
    listings: listingReader,
    accounts: accountReader,
    links: publicMediaLinks,
    cursors,
    now: clock,
  },
  run: ({ actor, query }, deps) =>
    listEnquiries(deps, actor.userId, {
      ...query,
      role: roleFor(actor, query.role, { ofApiKey: 'received', byDefault: 'sent' }),
    }),
})
