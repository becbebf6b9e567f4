import { agent } from '#lib/accounts/access'
import { accountStore } from '#lib/accounts/account-store.dynamo'
import { deleteKey } from '#lib/accounts/api-keys/manage-keys'
import { endpoint } from '#lib/http/endpoint'
import { clock, ids } from '#lib/http/runtime'
import { ApiKeyId } from '#lib/kernel/id'

export const { spec, handler } = endpoint({
  route: 'DELETE /auth/api-keys/{id}',
  summary: 'Delete an API key',
  description: 'It is refused from now on. An id that is none of the agent’s answers the same.',
  access: agent,
  input: { params: { id: ApiKeyId } },
  output: { 204: null },
  deps: { accounts: accountStore.only('get', 'save'), now: clock, newId: ids },
  run: ({ actor, params }, deps) => deleteKey(deps, actor.account, params.id),
})
