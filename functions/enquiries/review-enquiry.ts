import { administrator } from '#lib/accounts/access'
import { accountReader } from '#lib/accounts/account-reader.dynamo'
import { cursors } from '#lib/dynamo/cursor'
import { enquiryReader } from '#lib/enquiries/enquiry-store.dynamo'
import { MessagesQuery } from '#lib/enquiries/get-enquiry'
import { ReviewedEnquiry, reviewEnquiry } from '#lib/enquiries/review-enquiry'
import { endpoint } from '#lib/http/endpoint'
import { clock, ids } from '#lib/http/runtime'
import { journal } from '#lib/journal/journal.dynamo'
import { EnquiryId } from '#lib/kernel/id'
import { listingReader } from '#lib/listings/listing-reader.dynamo'
import { publicMediaLinks } from '#lib/media/store/public-media-links'

export const { spec, handler } = endpoint({
  route: 'GET /admin/enquiries/{id}',
  summary: 'A reported enquiry with its messages',
  description:
    'An enquiry can be read while a report is open and for 30 days after its reports were closed; any other is a 404. The ' +
    'journal records every reading.',
  access: administrator(['moderation']),
  input: { params: { id: EnquiryId }, query: MessagesQuery },
  output: { 200: ReviewedEnquiry },
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
  run: ({ actor, params, query }, deps) => reviewEnquiry(deps, actor.subject, params.id, query),
})
