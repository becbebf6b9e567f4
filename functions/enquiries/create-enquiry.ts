import { userWithVerifiedEmail } from '#lib/accounts/access'
import { accountReader } from '#lib/accounts/account-reader.dynamo'
import { recorded } from '#lib/dynamo/idempotency.dynamo'
import { quotas } from '#lib/dynamo/quotas'
import { type CreatedEnquiry, createEnquiry } from '#lib/enquiries/create-enquiry'
import { NewEnquiry } from '#lib/enquiries/enquiry'
import { enquiries } from '#lib/enquiries/enquiry-store.dynamo'
import { EnquiryView } from '#lib/enquiries/enquiry-view'
import { endpoint } from '#lib/http/endpoint'
import { clock, ids } from '#lib/http/runtime'
import { ListingId } from '#lib/kernel/id'
import { listingReader } from '#lib/listings/listing-reader.dynamo'
import { statistics } from '#lib/listings/statistics/statistics.dynamo'
import { publicMediaLinks } from '#lib/media/store/public-media-links'

export const { spec, handler } = endpoint({
  route: 'POST /listings/{id}/enquiries',
  summary: 'Ask the agent of a listing',
  description:
    'A customer has one enquiry for each listing: another question joins it (200), replaces `phone` and `visitAt` where ' +
    'given, and opens it again. A customer may begin 20 enquiries a UTC day and send 100 messages a clock hour.',
  access: userWithVerifiedEmail,
  input: { params: { id: ListingId }, body: NewEnquiry },
  output: { 201: EnquiryView, 200: EnquiryView },
  location: '/enquiries/',
  problems: ['own_listing', 'too_many_requests'],
  idempotency: recorded,
  deps: {
    enquiries,
    listings: listingReader,
    accounts: accountReader,
    links: publicMediaLinks,
    quotas,
    statistics,
    now: clock,
    newId: ids,
  },
  run: async ({ actor, params, body }, { once, ...deps }) => {
    const replyOf = ({ isNew, enquiry }: CreatedEnquiry) =>
      ({ status: isNew ? 201 : 200, body: enquiry }) as const
    // `once` comes with `idempotency: recorded`. Returns the writes that store the reply together with the enquiry.
    const receipt = (created: CreatedEnquiry) => once.receipt(replyOf(created))
    return replyOf(await createEnquiry({ ...deps, once: { receipt } }, actor.account, params.id, body))
  },
})
