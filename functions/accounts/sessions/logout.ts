import { user } from '#lib/accounts/access'
import { accounts } from '#lib/accounts/account-store.dynamo'
import { LogoutRequest, logout } from '#lib/accounts/sessions/end-sessions'
import { endpoint } from '#lib/http/endpoint'

export const { spec, handler } = endpoint({
  route: 'POST /auth/logout',
  summary: 'Sign out on this device, or on all',
  description:
    '`all` ends every session of the account, and voids every `deviceToken`. Access tokens end with their ' +
    'session. API keys stay: `DELETE /auth/api-keys/{id}` ends one.',
  access: user,
  input: { body: LogoutRequest },
  output: { 204: null },
  deps: { accounts },
  run: ({ actor, body }, deps) => logout(deps, actor.account, actor.sessionId, body),
})
