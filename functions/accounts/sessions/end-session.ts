import { user } from '#lib/accounts/access'
import { accounts } from '#lib/accounts/account-store.dynamo'
import { endSession } from '#lib/accounts/sessions/end-sessions'
import { endpoint } from '#lib/http/endpoint'
import { clock } from '#lib/http/runtime'
import { SessionId } from '#lib/kernel/id'

export const { spec, handler } = endpoint({
  route: 'DELETE /auth/sessions/{id}',
  summary: "Sign one of the caller's devices out",
  description:
    'Its refresh token and access tokens end at once; public endpoints may accept an access token for 10 minutes ' +
    'more. A session that has ended, or is another person’s, is a 404.',
  access: user,
  input: { params: { id: SessionId } },
  output: { 204: null },
  deps: { accounts, now: clock },
  run: ({ actor, params }, deps) => endSession(deps, actor.account, params.id),
})
