import { user } from '#lib/accounts/access'
import { accountReader } from '#lib/accounts/account-reader.dynamo'
import { recorded } from '#lib/dynamo/idempotency.dynamo'
import { quotas } from '#lib/dynamo/quotas'
import { enquiries } from '#lib/enquiries/enquiry-store.dynamo'
import { endpoint } from '#lib/http/endpoint'
import { clock, ids } from '#lib/http/runtime'
import { ListingId } from '#lib/kernel/id'
import { listingReader } from '#lib/listings/listing-reader.dynamo'
import { publicMediaLinks } from '#lib/media/store/public-media-links'
import { createRequest, PaymentRequestDraft } from '#lib/payment-requests/create-request'
import { requests } from '#lib/payment-requests/request-store.dynamo'
import { PaymentRequestView } from '#lib/payment-requests/request-view'

export const { spec, handler } = endpoint({
  route: 'POST /listings/{id}/payment-requests',
  summary: 'Ask a customer for a payment',
  // A repetition does not count towards the 50 a day. It counts among the 5 open ones, and is skipped beyond them.
  description:
    'For the owner of a published listing. `currency` is the listing’s and may be omitted; `dueAt` is within a year. At most ' +
    '5 requests are open in an enquiry, and an owner may make 50 a UTC day. With `repeats` each next request is made 7 days ' +
    'before it is due, and does not count.',
  access: user,
  input: { params: { id: ListingId }, body: PaymentRequestDraft },
  output: { 201: PaymentRequestView },
  location: '/payment-requests/',
  problems: [
    'forbidden',
    'other_side_gone',
    'listing_not_available',
    'open_request_limit_reached',
    'too_many_requests',
  ],
  idempotency: recorded,
  deps: {
    requests,
    enquiries,
    listings: listingReader,
    accounts: accountReader,
    links: publicMediaLinks,
    quotas,
    now: clock,
    newId: ids,
  },
  run: ({ actor, params, body }, deps) => createRequest(deps, actor.account, params.id, body),
})
