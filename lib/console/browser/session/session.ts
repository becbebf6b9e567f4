import { computed, signal } from '@preact/signals'
import type { ConsoleRole } from '#lib/kernel/console-role'
import { keepDraftsOf } from '../app/drafts.ts'
import { words } from '../words/words.ts'
import { settings } from './settings.ts'
import {
  finishSignIn,
  isReturning,
  leaveToSignIn,
  leaveToSignOut,
  renewTokens,
  type SignInFailure,
  type Tokens,
} from './sign-in.ts'

/** The state of the sign-in: `entering` while it is under way, `outsider` for a person without any role. */
type Session =
  | { state: 'entering' }
  | { state: 'in'; tokens: Tokens }
  | { state: 'out' }
  | { state: 'failed'; failure: SignInFailure }
  | { state: 'outsider' }

const SIGNED_OUT = 'signed-out'

const session = signal<Session>({ state: 'entering' })
let tokens: Tokens | undefined
let receivedAt = 0

/** The state of the sign-in. */
export const sessionState = computed(() => session.value)

/** The administrator's id at the OpenID provider, as the journal and claims name it. */
export const administrator = computed(() =>
  session.value.state === 'in' ? `${claimsOf(session.value.tokens)['sub']}` : '',
)

const EVERY_ROLE = Object.keys(words.session.roles) as ConsoleRole[]

/** The administrator's roles. */
const roles = computed(() => (session.value.state === 'in' ? rolesOf(session.value.tokens) : []))

/** Whether the administrator has a role; without an argument, whether they have any role but the auditor's. */
export const mayDo = (role?: ConsoleRole): boolean =>
  role === undefined ? roles.value.some((one) => one !== 'auditor') : roles.value.includes(role)

/** The role that opens each page; a page that is not listed is open to every role. */
const PAGE_ROLES: Readonly<Record<string, ConsoleRole>> = {
  identities: 'identities',
  listings: 'moderation',
  reports: 'moderation',
  enquiries: 'moderation',
  payments: 'payments',
  callbacks: 'payments',
  payouts: 'payments',
  ledger: 'payments',
  people: 'support',
  mails: 'support',
  webhooks: 'integrations',
  events: 'integrations',
  journal: 'auditor',
}

/** Returns the role that the administrator lacks to see a page: auditors see all of them. */
export function lackedRole(page: string): ConsoleRole | undefined {
  const role = PAGE_ROLES[page]
  return role === undefined || mayDo(role) || mayDo('auditor') ? undefined : role
}

/**
 * Whether the sign-in is too old for actions that need a recent one. The token says how old the sign-in was when it was
 * issued; the reader's clock, which may be wrong, only counts the seconds since then.
 */
export function isSignInOld(): boolean {
  const { stepUpSeconds } = settings
  if (stepUpSeconds === 0 || tokens === undefined) return false
  const { auth_time: signedInAt, iat: givenAt } = claimsOf(tokens)
  // The server takes a sign-in of unknown age for an old one.
  if (typeof signedInAt !== 'number' || typeof givenAt !== 'number') return true
  return givenAt - signedInAt + (Date.now() - receivedAt) / 1_000 > stepUpSeconds
}

/** Reads the claims of a token without verifying it: the server verifies the token of every request. */
function claimsOf({ accessToken }: Tokens): Record<string, unknown> {
  const [, payload = ''] = accessToken.split('.')
  const bytes = Uint8Array.from(atob(payload.replaceAll('-', '+').replaceAll('_', '/')), (sign) =>
    sign.charCodeAt(0),
  )
  return JSON.parse(new TextDecoder().decode(bytes))
}

function rolesOf(given: Tokens): ConsoleRole[] {
  const { claim, all: groupOfAllRoles, roles: groupByRole } = settings.groups
  const memberships = [claimsOf(given)[claim]].flat()
  const isIn = (group: string | undefined) => group !== undefined && memberships.includes(group)
  return EVERY_ROLE.filter((role) => isIn(groupOfAllRoles) || isIn(groupByRole[role]))
}

/** Stores the result of a sign-in or a renewal: tokens, or the code of a failure. Returns false for a failure. */
function accept(given: Tokens | SignInFailure): boolean {
  receivedAt = Date.now()
  if (typeof given === 'string') {
    tokens = undefined
    session.value = { state: 'failed', failure: given }
    return false
  }
  tokens = given
  keepDraftsOf(`${claimsOf(given)['sub']}`)
  session.value = rolesOf(given).length > 0 ? { state: 'in', tokens: given } : { state: 'outsider' }
  return true
}

/** Finishes the sign-in after a return from the provider, else leaves for it. A reader who signed out stays so. */
export async function enter(): Promise<void> {
  if (isReturning()) accept(await finishSignIn())
  else if (sessionStorage.getItem(SIGNED_OUT) !== null) session.value = { state: 'out' }
  else await signIn()
}

/**
 * Leaves for the provider's sign-in page. With `reauthenticates` the provider asks for a new sign-in, even of a person
 * whom it still knows. Where the provider cannot be reached, the session's state says so.
 */
export async function signIn({ reauthenticates = false }: { reauthenticates?: boolean } = {}): Promise<void> {
  sessionStorage.removeItem(SIGNED_OUT)
  session.value = { state: 'entering' }
  if (!(await leaveToSignIn({ reauthenticates })))
    session.value = { state: 'failed', failure: 'provider_unreachable' }
}

/** Ends the session here and at the provider. */
export async function signOut(): Promise<void> {
  const given = tokens
  tokens = undefined
  sessionStorage.clear()
  sessionStorage.setItem(SIGNED_OUT, '1')
  session.value = { state: 'out' }
  const hasLeft = given !== undefined && (await leaveToSignOut(given))
  // A page that does not leave is loaded again, so that nothing of what was read stays in memory.
  if (!hasLeft) location.replace('/console')
}

/** Returns the access token to send, if there is one. */
export const accessToken = (): string | undefined => tokens?.accessToken

let renewing: Promise<boolean> | undefined

/**
 * Gets a new access token by the refresh token, once for all simultaneous callers. When the refresh token has ended
 * too, leaves for the provider's page and never resolves. Typed text is kept, and the same page is shown after the
 * return.
 */
export function renew(): Promise<boolean> {
  renewing ??= renewOnce().finally(() => {
    renewing = undefined
  })
  return renewing
}

async function renewOnce(): Promise<boolean> {
  const given = tokens?.refreshToken ? await renewTokens(tokens.refreshToken) : 'refused'
  // A reader who signed out meanwhile stays so, whatever the provider answers.
  if (given === 'provider_unreachable' || session.peek().state === 'out') return false
  if (given !== 'refused') return accept(given)
  await signIn()
  return new Promise(() => undefined)
}
