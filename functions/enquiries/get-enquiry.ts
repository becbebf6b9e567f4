import { user } from '#lib/accounts/access'
import { accountReader } from '#lib/accounts/account-reader.dynamo'
import { apiKeys, limitApiKeyToAgentSide } from '#lib/accounts/api-keys/access'
import { cursors } from '#lib/dynamo/cursor'
import { agentOf } from '#lib/enquiries/enquiry'
import { enquiryReader } from '#lib/enquiries/enquiry-store.dynamo'
import { EnquiryWithMessages, getEnquiry, MessagesQuery } from '#lib/enquiries/get-enquiry'
import { endpoint } from '#lib/http/endpoint'
import { clock } from '#lib/http/runtime'
import { EnquiryId } from '#lib/kernel/id'
import { listingReader } from '#lib/listings/listing-reader.dynamo'
import { publicMediaLinks } from '#lib/media/store/public-media-links'

export const { spec, handler } = endpoint({
  route: 'GET /enquiries/{id}',
  summary: 'An enquiry with its messages, newest first',
  description: 'For its customer and its agent. `limit` and `cursor` page through the messages.',
  access: user,
  apiKeys: apiKeys('enquiries:read'),
  input: { params: { id: EnquiryId }, query: MessagesQuery },
  output: { 200: EnquiryWithMessages },
  problems: ['invalid_cursor'],
  deps: {
    enquiries: enquiryReader,
    listings: listingReader,
    accounts: accountReader,
    links: publicMediaLinks,
    cursors,
    now: clock,
  },
  run: ({ actor, params, query }, deps) =>
    getEnquiry(
      { ...deps, enquiries: limitApiKeyToAgentSide(actor, deps.enquiries, agentOf) },
      actor.userId,
      params.id,
      query,
    ),
})
