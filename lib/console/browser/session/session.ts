import { computed, signal } from '@preact/signals'
import {
  finishSignIn,
  isReturning,
  leaveToSignIn,
  leaveToSignOut,
  renewTokens,
  type SignInFailure,
  type Tokens,
} from './sign-in.ts'

/** Where the administrator stands: on the way in, in, out by their own wish, or kept out. */
type Session =
  | { state: 'entering' }
  | { state: 'in'; tokens: Tokens }
  | { state: 'out' }
  | { state: 'failed'; failure: SignInFailure }
  | { state: 'outsider' }

const SIGNED_OUT = 'signed-out'

const session = signal<Session>({ state: 'entering' })
let tokens: Tokens | undefined

/** Where the administrator stands. */
export const sessionState = computed(() => session.value)

/** The administrator's id at the OpenID provider, as the journal and claims name it. */
export const administrator = computed(() =>
  session.value.state === 'in' ? subjectOf(session.value.tokens.accessToken) : '',
)

/** Only read, never trusted: the server verifies the token with every request. */
const subjectOf = (token: string): string => {
  const [, payload = ''] = token.split('.')
  const bytes = Uint8Array.from(atob(payload.replaceAll('-', '+').replaceAll('_', '/')), (sign) =>
    sign.charCodeAt(0),
  )
  return JSON.parse(new TextDecoder().decode(bytes)).sub
}

function accept(given: Tokens | SignInFailure): boolean {
  tokens = typeof given === 'string' ? undefined : given
  session.value =
    typeof given === 'string' ? { state: 'failed', failure: given } : { state: 'in', tokens: given }
  return tokens !== undefined
}

/** Signs in: with what the provider came back with, or by leaving for it. Someone who signed out stays out. */
export async function enter(): Promise<void> {
  if (isReturning()) accept(await finishSignIn())
  else if (sessionStorage.getItem(SIGNED_OUT) !== null) session.value = { state: 'out' }
  else await signIn()
}

/** Leaves for the provider's page; says so where it cannot be reached. */
export async function signIn(): Promise<void> {
  sessionStorage.removeItem(SIGNED_OUT)
  session.value = { state: 'entering' }
  if (!(await leaveToSignIn())) session.value = { state: 'failed', failure: 'provider_unreachable' }
}

/** Ends the session here and at the provider. */
export async function signOut(): Promise<void> {
  const given = tokens
  tokens = undefined
  sessionStorage.clear()
  sessionStorage.setItem(SIGNED_OUT, '1')
  session.value = { state: 'out' }
  // Another document, so that nothing of what was read stays in memory.
  if (!(given && (await leaveToSignOut(given)))) location.replace('/console')
}

/** The access token to send, if there is one. */
export const accessToken = (): string | undefined => tokens?.accessToken

/** Says that the API knows the token, but not as an administrator's. */
export const markOutsider = (): void => {
  session.value = { state: 'outsider' }
}

let renewing: Promise<boolean> | undefined

/**
 * Gets a new access token by the refresh token, once for all who ask meanwhile. Where that is over too, leaves for the
 * provider's page and never resolves: what is typed is kept, and the same page is shown after the return.
 */
export function renew(): Promise<boolean> {
  renewing ??= renewOnce().finally(() => {
    renewing = undefined
  })
  return renewing
}

async function renewOnce(): Promise<boolean> {
  const given = tokens?.refreshToken ? await renewTokens(tokens.refreshToken) : 'refused'
  if (given === 'provider_unreachable') return false
  if (given !== 'refused') return accept(given)
  await signIn()
  return new Promise(() => undefined)
}
