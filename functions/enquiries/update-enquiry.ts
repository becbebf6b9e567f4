import { user } from '#lib/accounts/access'
import { accountReader } from '#lib/accounts/account-reader.dynamo'
import { apiKeys, limitApiKeyToAgentSide } from '#lib/accounts/api-keys/access'
import { agentOf, EnquiryChange } from '#lib/enquiries/enquiry'
import { enquiries } from '#lib/enquiries/enquiry-store.dynamo'
import { EnquiryView } from '#lib/enquiries/enquiry-view'
import { updateEnquiry } from '#lib/enquiries/update-enquiry'
import { endpoint } from '#lib/http/endpoint'
import { clock, ids } from '#lib/http/runtime'
import { EnquiryId } from '#lib/kernel/id'
import { listingReader } from '#lib/listings/listing-reader.dynamo'
import { publicMediaLinks } from '#lib/media/store/public-media-links'

export const { spec, handler } = endpoint({
  route: 'PATCH /enquiries/{id}',
  summary: 'Close or open an enquiry, or set a visit',
  description: 'For its agent; the customer is refused with 403. `visit: null` cancels the visit.',
  access: user,
  apiKeys: apiKeys('enquiries:write'),
  input: { params: { id: EnquiryId }, body: EnquiryChange },
  output: { 200: EnquiryView },
  problems: ['other_side_gone'],
  deps: {
    enquiries,
    listings: listingReader,
    accounts: accountReader,
    links: publicMediaLinks,
    now: clock,
    newId: ids,
  },
  run: ({ actor, params, body }, deps) =>
    updateEnquiry(
      { ...deps, enquiries: limitApiKeyToAgentSide(actor, deps.enquiries, agentOf) },
      actor.userId,
      params.id,
      body,
    ),
})
