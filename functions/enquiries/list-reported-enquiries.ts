import { administrator } from '#lib/accounts/access'
import { accountReader } from '#lib/accounts/account-reader.dynamo'
import { cursors } from '#lib/dynamo/cursor'
import { enquiryReader } from '#lib/enquiries/enquiry-store.dynamo'
import { listReported, ReportedEnquiry } from '#lib/enquiries/list-reported'
import { endpoint } from '#lib/http/endpoint'
import { clock, ids } from '#lib/http/runtime'
import { journal } from '#lib/journal/journal.dynamo'
import { PageQuery, pageOf } from '#lib/kernel/page'
import { listingReader } from '#lib/listings/listing-reader.dynamo'
import { publicMediaLinks } from '#lib/media/store/public-media-links'

export const { spec, handler } = endpoint({
  route: 'GET /admin/enquiries',
  summary: 'Enquiries with open reports, longest waiting first',
  description: 'Without their messages. The journal records every reading.',
  access: administrator(['moderation']),
  input: { query: PageQuery },
  output: { 200: pageOf(ReportedEnquiry) },
  problems: ['invalid_cursor'],
  deps: {
    enquiries: enquiryReader,
    listings: listingReader,
    accounts: accountReader,
    links: publicMediaLinks,
    cursors,
    journal,
    now: clock,
    newId: ids,
  },
  run: ({ actor, query }, deps) => listReported(deps, actor.subject, query),
})
