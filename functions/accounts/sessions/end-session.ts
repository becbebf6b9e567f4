import { user } from '#lib/accounts/access'
import { endSession } from '#lib/accounts/sessions/end-sessions'
import { sessionStore } from '#lib/accounts/sessions/session-store.dynamo'
import { endpoint } from '#lib/http/endpoint'
import { clock } from '#lib/http/runtime'
import { SessionId } from '#lib/kernel/id'

export const { spec, handler } = endpoint({
  route: 'DELETE /auth/sessions/{id}',
  summary: "Sign one of the caller's devices out",
  description:
    'Its refresh token ends at once, and its access tokens with it, but for public answers, which may take them ' +
    'for 10 minutes. One that has ended is a 404, as another person’s is.',
  access: user,
  input: { params: { id: SessionId } },
  output: { 204: null },
  deps: { sessions: sessionStore, now: clock },
  run: ({ actor, params }, deps) => endSession(deps, actor.account, params.id),
})
