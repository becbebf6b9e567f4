import { type KoaContextWithOIDC, Provider } from 'oidc-provider'
import { CONSOLE_ROLES } from '#lib/kernel/console-role'
import {
  ADMINISTRATORS,
  CONSOLE_AUDIENCE,
  CONSOLE_TOKEN_SECONDS,
  groupClaims,
  MACHINE_SECRET,
  machineOf,
} from '../environment.ts'
import type { LocalKeys } from '../keys.ts'
import { type LocalServer, listenLocally } from '../local-server.ts'
import { LOGIN_PATH, loginListener } from './openid-login.ts'
import { logoutSource, postLogoutSuccessSource } from './openid-logout.ts'
import { memoryAdapter } from './openid-memory.ts'

// Only an absolute URI can be asked for as a resource; the token's audience is the plain name.
const CONSOLE_RESOURCE = 'urn:platform:console'
const SCOPE = 'openid profile'

/**
 * Returns the groups of a person. A name that begins with `guest` is in no group. A machine has no account: the variable
 * `CONSOLE_MACHINES` gives it its role by its client id.
 */
const claimsOf = (accountId: string | undefined) =>
  accountId === undefined || accountId.startsWith('guest') ? {} : groupClaims(ADMINISTRATORS)

/** Returns when the person behind a token signed in, in Unix seconds. */
function signedInAt({ oidc }: KoaContextWithOIDC) {
  const { AuthorizationCode: code, RefreshToken: refresh } = oidc.entities
  const authTime = code?.authTime ?? refresh?.authTime
  return authTime === undefined ? {} : { auth_time: authTime }
}

const MACHINES = CONSOLE_ROLES.map((role) => ({
  client_id: machineOf(role),
  client_secret: MACHINE_SECRET,
  redirect_uris: [],
  response_types: [],
  grant_types: ['client_credentials'],
}))

type OpenidOptions = { port: number; issuer: string; publicUrl: string; keys: LocalKeys }

/**
 * Starts the administrators' OpenID provider: authorization code with PKCE for the console, client credentials for
 * machines, JWT access tokens (RFC 9068). Any name signs in: it is for development only and listens on loopback.
 * Sessions end with the process; tokens stay valid.
 */
export async function startOpenid({ port, issuer, publicUrl, keys }: OpenidOptions): Promise<LocalServer> {
  const provider = new Provider(issuer, {
    adapter: memoryAdapter(),
    jwks: keys.openidKeys,
    cookies: { keys: [keys.openidCookieKey] },
    clients: [
      {
        client_id: CONSOLE_AUDIENCE,
        token_endpoint_auth_method: 'none',
        redirect_uris: [`${publicUrl}/console`],
        post_logout_redirect_uris: [`${publicUrl}/console`],
        grant_types: ['authorization_code', 'refresh_token'],
        response_types: ['code'],
      },
      ...MACHINES,
    ],
    clientBasedCORS: (_, origin) => origin === publicUrl,
    extraTokenClaims: (ctx, token) => ({
      ...claimsOf('accountId' in token ? token.accountId : undefined),
      ...signedInAt(ctx),
    }),
    // Every sign-in gets a refresh token without asking for the scope `offline_access`, as with Amazon Cognito.
    issueRefreshToken: async () => true,
    features: {
      clientCredentials: { enabled: true },
      devInteractions: { enabled: false },
      revocation: { enabled: true },
      rpInitiatedLogout: { enabled: true, logoutSource, postLogoutSuccessSource },
      resourceIndicators: {
        enabled: true,
        defaultResource: () => CONSOLE_RESOURCE,
        useGrantedResource: () => true,
        getResourceServerInfo: () => ({
          scope: SCOPE,
          audience: CONSOLE_AUDIENCE,
          accessTokenTTL: CONSOLE_TOKEN_SECONDS,
          accessTokenFormat: 'jwt',
          jwt: { sign: { alg: 'RS256' } },
        }),
      },
    },
    findAccount: (_, sub) => ({ accountId: sub, claims: () => ({ sub, ...claimsOf(sub) }) }),
    interactions: { url: (_, interaction) => `${LOGIN_PATH}${interaction.uid}` },
    // Signing in is consent enough on one's own machine.
    loadExistingGrant: async ({ oidc }) => {
      const grant = new oidc.provider.Grant({
        ...(oidc.session?.accountId && { accountId: oidc.session.accountId }),
        ...(oidc.client && { clientId: oidc.client.clientId }),
      })
      grant.addOIDCScope(SCOPE)
      grant.addResourceScope(CONSOLE_RESOURCE, SCOPE)
      await grant.save()
      return grant
    },
    renderError: (ctx, { error, error_description: description }) => {
      ctx.type = 'text/plain'
      ctx.body = `${error}: ${description ?? ''}`
    },
    // In seconds.
    ttl: {
      AccessToken: CONSOLE_TOKEN_SECONDS,
      Grant: CONSOLE_TOKEN_SECONDS,
      IdToken: 3600,
      Interaction: 3600,
      RefreshToken: CONSOLE_TOKEN_SECONDS,
      Session: CONSOLE_TOKEN_SECONDS,
    },
  })
  const login = loginListener(provider)
  const serve = provider.callback()
  return listenLocally(port, (request, response) =>
    request.url?.startsWith(LOGIN_PATH) ? login(request, response) : serve(request, response),
  )
}
