import { accountReader } from '#lib/accounts/account-reader.dynamo'
import { AgentPage, getAgentPage } from '#lib/enquiries/agent-page'
import { answerCache } from '#lib/enquiries/answer-cache.dynamo'
import { enquiryReader } from '#lib/enquiries/enquiry-store.dynamo'
import { endpoint } from '#lib/http/endpoint'
import { clock } from '#lib/http/runtime'
import { UserId } from '#lib/kernel/id'
import { listingReader } from '#lib/listings/listing-reader.dynamo'

export const { spec, handler } = endpoint({
  route: 'GET /agents/{userId}',
  summary: "A verified agent's page",
  description:
    'What one needs to choose and reach an agent: names, bio, telephone number, languages, areas, how many listings are ' +
    'public and how the agent answers. The licence number is for administrators only.',
  access: 'public',
  input: { params: { userId: UserId } },
  output: { 200: AgentPage },
  caching: 'without credential',
  deps: {
    accounts: accountReader,
    listings: listingReader,
    enquiries: enquiryReader,
    answerCache,
    now: clock,
  },
  run: ({ params }, deps) => getAgentPage(deps, params.userId),
})
