import { accountReader } from '#lib/accounts/account-reader.dynamo'
import { getPublicAgent, PublicAgent } from '#lib/accounts/public-agent'
import { endpoint } from '#lib/http/endpoint'
import { clock } from '#lib/http/runtime'
import { UserId } from '#lib/kernel/id'

export const { spec, handler } = endpoint({
  route: 'GET /agents/{userId}',
  summary: "A verified agent's page",
  description:
    'What one needs to choose and reach an agent: names, bio, telephone number, languages, areas. The licence number ' +
    'is for administrators only.',
  access: 'public',
  input: { params: { userId: UserId } },
  output: { 200: PublicAgent },
  caching: 'public',
  deps: { accounts: accountReader, now: clock },
  run: ({ params }, deps) => getPublicAgent(deps, params.userId),
})
