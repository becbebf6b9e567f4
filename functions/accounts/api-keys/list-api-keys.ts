import { agent } from '#lib/accounts/access'
import { apiKeyReader } from '#lib/accounts/api-keys/api-key-store.dynamo'
import { ApiKeyList, listKeys } from '#lib/accounts/api-keys/manage-keys'
import { endpoint } from '#lib/http/endpoint'

export const { spec, handler } = endpoint({
  route: 'GET /auth/api-keys',
  summary: "The agent's API keys",
  description:
    'At most 10, expired ones included. `last4` tells them apart, since a whole key is shown only when it is made.',
  access: agent,
  output: { 200: ApiKeyList },
  deps: { apiKeys: apiKeyReader },
  run: ({ actor }, deps) => listKeys(deps, actor.account),
})
