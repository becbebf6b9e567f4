import { agent } from '#lib/accounts/access'
import { accounts } from '#lib/accounts/account-store.dynamo'
import { apiKeys } from '#lib/accounts/api-keys/api-key-store.dynamo'
import { MadeApiKey, makeKey, NewApiKey } from '#lib/accounts/api-keys/manage-keys'
import { steppedUp } from '#lib/accounts/sessions/access'
import { endpoint } from '#lib/http/endpoint'
import { clock, ids } from '#lib/http/runtime'

export const { spec, handler } = endpoint({
  route: 'POST /auth/api-keys',
  summary: 'Make an API key that acts for the agent',
  description:
    'The key is shown once: only a hash is kept. Send it as `Authorization: Bearer pak_…` on the routes of its scopes. An ' +
    'agent has at most ten keys. A reset of the password, an undone change of address and a ban end every key at once.',
  access: steppedUp(agent),
  input: { body: NewApiKey },
  output: { 201: MadeApiKey },
  problems: ['api_key_limit_reached'],
  isSecret: true,
  deps: { accounts, apiKeys, now: clock, newId: ids },
  run: ({ actor, body }, deps) => makeKey(deps, actor, body),
})
