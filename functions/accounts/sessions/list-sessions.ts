import { user } from '#lib/accounts/access'
import { listSessions, SessionPage } from '#lib/accounts/sessions/list-sessions'
import { sessionReader } from '#lib/accounts/sessions/session-store.dynamo'
import { cursors } from '#lib/dynamo/cursor'
import { endpoint } from '#lib/http/endpoint'
import { clock } from '#lib/http/runtime'
import { PageQuery } from '#lib/kernel/page'

export const { spec, handler } = endpoint({
  route: 'GET /auth/sessions',
  summary: 'The devices on which the caller is signed in',
  description:
    'The newest sign-in first, at most 50; a further sign-in ends the oldest session. `lastUsedAt` and the IP address are ' +
    'those of the last sign-in or refresh.',
  access: user,
  input: { query: PageQuery },
  output: { 200: SessionPage },
  problems: ['invalid_cursor'],
  deps: { sessions: sessionReader, cursors, now: clock },
  run: ({ actor, query }, deps) => listSessions(deps, actor.account, actor.sessionId, query),
})
