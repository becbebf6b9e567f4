import { accountReader } from '#lib/accounts/account-reader.dynamo'
import { RefreshRequest, refreshSession } from '#lib/accounts/sessions/refresh'
import { RETRY_WINDOW_SECONDS } from '#lib/accounts/sessions/session'
import { sessions } from '#lib/accounts/sessions/session-store.dynamo'
import { TokenPair } from '#lib/accounts/sessions/sign-in'
import { tokenIssuer } from '#lib/accounts/sessions/token-issuer'
import { hmacKeys } from '#lib/config/keys'
import { endpoint } from '#lib/http/endpoint'
import { clock, ids } from '#lib/http/runtime'

export const { spec, handler } = endpoint({
  route: 'POST /auth/refresh',
  summary: "Spend a refresh token for the session's next pair",
  description:
    `A token spent at most ${RETRY_WINDOW_SECONDS} seconds ago is answered with the current pair, the same for every such request. ` +
    'A token spent longer ago ends the session.',
  access: 'public',
  input: { body: RefreshRequest },
  output: { 200: TokenPair },
  problems: ['invalid_refresh_token'],
  isSecret: true,
  deps: {
    accounts: accountReader,
    sessions,
    issueAccessToken: tokenIssuer,
    hmacKeys,
    now: clock,
    newId: ids,
  },
  run: ({ body, request }, deps) => refreshSession(deps, body, request),
})
