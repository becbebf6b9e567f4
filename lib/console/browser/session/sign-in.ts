import { settings } from './settings.ts'

/** The tokens of the OpenID provider. Lives in memory only. */
export type Tokens = { accessToken: string; refreshToken: string | undefined; idToken: string | undefined }

/** Why a sign-in did not end with tokens. */
export type SignInFailure = 'provider_unreachable' | 'refused'

const STORAGE_KEY = 'sign-in'

const base64url = (bytes: Uint8Array): string =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')

const random = (): string => base64url(crypto.getRandomValues(new Uint8Array(32)))

/**
 * Leaves for the provider's page, by authorization code with PKCE (RFC 7636). The present page is shown again after the
 * return; a person whom the provider still knows types nothing, unless `reauthenticates`. Returns false where the
 * provider's page is not known.
 */
export async function leaveToSignIn({ reauthenticates }: { reauthenticates: boolean }): Promise<boolean> {
  if (settings.authorize === undefined) return false
  const [verifier, state] = [random(), random()]
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier))
  sessionStorage.setItem(STORAGE_KEY, JSON.stringify({ verifier, state, hash: location.hash }))
  const query = new URLSearchParams({
    client_id: settings.clientId,
    response_type: 'code',
    redirect_uri: settings.redirectUri,
    scope: 'openid profile',
    state,
    code_challenge: base64url(new Uint8Array(digest)),
    code_challenge_method: 'S256',
    ...(reauthenticates && { prompt: 'login' }),
  })
  location.assign(`${settings.authorize}?${query}`)
  return true
}

/** Whether this page load is a return from the provider. */
export const isReturning = (): boolean => /[?&](code|error)=/.test(location.search)

/** Turns the code that the provider came back with into tokens, and restores the address that was left. */
export async function finishSignIn(): Promise<Tokens | SignInFailure> {
  const answer = new URLSearchParams(location.search)
  const { verifier, state, hash } = JSON.parse(sessionStorage.getItem(STORAGE_KEY) ?? '{}')
  sessionStorage.removeItem(STORAGE_KEY)
  history.replaceState(null, '', `/console${hash ?? ''}`)
  // The router listens for this event, which `replaceState` does not cause.
  dispatchEvent(new Event('hashchange'))
  const code = answer.get('code')
  if (code === null || state === undefined || answer.get('state') !== state) return 'refused'
  return requestTokens({
    grant_type: 'authorization_code',
    code,
    redirect_uri: settings.redirectUri,
    code_verifier: verifier,
  })
}

/** Trades a refresh token for new tokens. */
export const renewTokens = (refreshToken: string): Promise<Tokens | SignInFailure> =>
  requestTokens({ grant_type: 'refresh_token', refresh_token: refreshToken })

async function requestTokens(form: Record<string, string>): Promise<Tokens | SignInFailure> {
  if (settings.token === undefined) return 'provider_unreachable'
  const body = new URLSearchParams({ ...form, client_id: settings.clientId })
  const response = await fetch(settings.token, { method: 'POST', body }).catch(() => undefined)
  if (response === undefined || response.status >= 500) return 'provider_unreachable'
  if (!response.ok) return 'refused'
  const given = await response.json()
  return {
    accessToken: given.access_token,
    // A provider that does not rotate refresh tokens sends none again.
    refreshToken: given.refresh_token ?? form['refresh_token'],
    idToken: given.id_token,
  }
}

/** Ends the refresh token and the provider's own session, on the provider's page. Returns false without such a page. */
export async function leaveToSignOut({ refreshToken, idToken }: Tokens): Promise<boolean> {
  if (settings.revoke !== undefined && refreshToken !== undefined) {
    const body = new URLSearchParams({ token: refreshToken, client_id: settings.clientId })
    await fetch(settings.revoke, { method: 'POST', body }).catch(() => undefined)
  }
  if (settings.endSession === undefined) return false
  const query = new URLSearchParams({
    client_id: settings.clientId,
    post_logout_redirect_uri: settings.redirectUri,
    // Amazon Cognito's name of `post_logout_redirect_uri`.
    logout_uri: settings.redirectUri,
    ...(idToken !== undefined && { id_token_hint: idToken }),
  })
  location.assign(`${settings.endSession}?${query}`)
  return true
}
