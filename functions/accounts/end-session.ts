import { accountStore } from '#lib/accounts/account-store.dynamo'
import { endSession } from '#lib/accounts/sessions/end-sessions'
import { sessionStore } from '#lib/accounts/sessions/session-store.dynamo'
import { user } from '#lib/http/access'
import { endpoint } from '#lib/http/endpoint'
import { clock } from '#lib/http/runtime'
import { SessionId } from '#lib/kernel/id'

export const { spec, handler } = endpoint({
  route: 'DELETE /auth/sessions/{id}',
  summary: "Sign one of the caller's devices out",
  access: user,
  input: { params: { id: SessionId } },
  output: { 204: null },
  deps: { accounts: accountStore, sessions: sessionStore, now: clock },
  run: async ({ actor, params }, deps) => {
    await endSession(deps, actor.account, params.id)
    return { status: 204 }
  },
})
