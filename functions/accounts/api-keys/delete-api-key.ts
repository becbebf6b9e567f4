import { agent } from '#lib/accounts/access'
import { accounts } from '#lib/accounts/account-store.dynamo'
import { deleteKey } from '#lib/accounts/api-keys/manage-keys'
import { endpoint } from '#lib/http/endpoint'
import { clock, ids } from '#lib/http/runtime'
import { ApiKeyId } from '#lib/kernel/id'

export const { spec, handler } = endpoint({
  route: 'DELETE /auth/api-keys/{id}',
  summary: 'Delete an API key',
  description:
    'The key is refused from now on. The answer is the same for an id that no key of the agent has.',
  access: agent,
  input: { params: { id: ApiKeyId } },
  output: { 204: null },
  deps: { accounts, now: clock, newId: ids },
  run: ({ actor, params }, deps) => deleteKey(deps, actor.account, params.id),
})
