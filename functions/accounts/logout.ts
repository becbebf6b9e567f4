import { accountStore } from '#lib/accounts/account-store.dynamo'
import { LogoutRequest, logout } from '#lib/accounts/sessions/end-sessions'
import { sessionStore } from '#lib/accounts/sessions/session-store.dynamo'
import { user } from '#lib/http/access'
import { endpoint } from '#lib/http/endpoint'

export const { spec, handler } = endpoint({
  route: 'POST /auth/logout',
  summary: 'Sign out on this device, or on all',
  access: user,
  input: { body: LogoutRequest },
  output: { 204: null },
  deps: { accounts: accountStore, sessions: sessionStore },
  run: async ({ actor, body }, deps) => {
    await logout(deps, actor.account, actor.sessionId, body)
    return { status: 204 }
  },
})
