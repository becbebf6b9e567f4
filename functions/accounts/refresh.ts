import { accountStore } from '#lib/accounts/account-store.dynamo'
import { RefreshRequest, refreshSession } from '#lib/accounts/sessions/refresh'
import { sessionStore } from '#lib/accounts/sessions/session-store.dynamo'
import { TokenPair } from '#lib/accounts/sessions/sign-in'
import { tokenIssuer } from '#lib/accounts/sessions/token-issuer'
import { hmacKeys } from '#lib/hmac-keys'
import { endpoint } from '#lib/http/endpoint'
import { clock } from '#lib/http/runtime'

export const { spec, handler } = endpoint({
  route: 'POST /auth/refresh',
  summary: "Spend a refresh token for the session's next pair",
  description:
    'A token spent at most 10 seconds ago is answered with the current pair, the same for all who ask. Shown ' +
    'later, it ends the session.',
  access: 'public',
  input: { body: RefreshRequest },
  output: { 200: TokenPair },
  problems: ['invalid_refresh_token'],
  isSecret: true,
  deps: {
    accounts: accountStore,
    sessions: sessionStore,
    issueAccessToken: tokenIssuer,
    hmacKeys,
    now: clock,
  },
  run: ({ body, request }, deps) => refreshSession(deps, body, request),
})
