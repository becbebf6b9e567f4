import { createHash } from 'node:crypto'
import * as z from 'zod'
import type { Account } from '#lib/accounts/account'
import { type Clock, secondsAfter, unixSeconds } from '#lib/kernel/clock'
import { type SessionId, UserId } from '#lib/kernel/id'
import { makeSecret } from '#lib/kernel/random'
import { type HmacKeys, newestKey, readToken, signToken } from '#lib/kernel/signed-token'

/** A challenge as a client shows it. */
export const ChallengeToken = z.string().min(1).max(500).meta({
  description: 'Opaque; good for ten minutes and one success',
})

const LIFETIME_SECONDS = 10 * 60

const KNOWN_DEVICE = 'k'
const UNKNOWN_DEVICE = 'u'

/** The purpose of a challenge. It is void for any other purpose. */
export type Purpose = 'sign-in' | 'passkey-sign-in' | 'passkey-registration' | 'step-up'

/** The account to which a challenge is bound, as it is now, and the session where there is one. */
export type Bound = { account: Account; sessionId?: SessionId }

/** A challenge whose token was verified. */
export type Challenge = {
  /** The signed part of the token, unique to the challenge. `FactorStore.spend` stores it, so that it succeeds once. */
  name: string
  expiresAtSeconds: number
  /** The account that the challenge is bound to; undefined for a sign-in by passkey alone, which begins without one. */
  userId: UserId | undefined
  /** Whether the first step of the sign-in showed a valid device token. */
  isKnownDevice: boolean
}

type Options = Bound & { isKnownDevice?: boolean }
type Deps = { hmacKeys: HmacKeys; now: Clock }

/**
 * Makes a challenge: random part, expiry, whether the device is known, account id if there is one, and signature, joined by
 * dots. The signature covers the account's registration, password, factors and session. Only used challenges are stored.
 */
export async function makeChallenge(
  { hmacKeys, now }: Deps,
  purpose: Purpose,
  options?: Options,
): Promise<string> {
  const expiresAt = unixSeconds(secondsAfter(now(), LIFETIME_SECONDS))
  const name = [
    makeSecret(16),
    expiresAt.toString(36),
    options?.isKnownDevice === true ? KNOWN_DEVICE : UNKNOWN_DEVICE,
    ...(options ? [options.account.id] : []),
  ].join('.')
  return signToken(await newestKey(hmacKeys), labelOf(purpose, options), name)
}

/** Returns the account that a token names; not proven until `readChallenge` has read the token with that account. */
export function claimedUserOf(token: string): UserId | undefined {
  const [, , , id] = token.split('.')
  const parsed = UserId.safeParse(id)
  return parsed.success ? parsed.data : undefined
}

/** Reads a challenge. Returns undefined for a challenge that is unknown, expired, void or for another purpose. */
export async function readChallenge(
  { hmacKeys, now }: Deps,
  purpose: Purpose,
  token: string,
  bound?: Bound,
): Promise<Challenge | undefined> {
  const name = readToken(await hmacKeys(), labelOf(purpose, bound), token)
  if (name === undefined) return undefined
  const [, expiry = '', device, id] = name.split('.')
  const expiresAtSeconds = Number.parseInt(expiry, 36)
  const userId = UserId.safeParse(id)
  if (expiresAtSeconds * 1000 <= now().getTime() || userId.data !== bound?.account.id) return undefined
  return { name, expiresAtSeconds, userId: userId.data, isKnownDevice: device === KNOWN_DEVICE }
}

/**
 * Returns the text that the signature covers besides the name. A challenge becomes void by a ban, which replaces the
 * registration, by a new password, and by a change of factors.
 */
function labelOf(purpose: Purpose, bound: Bound | undefined): string {
  if (!bound) return `challenge:${purpose}`
  const { registration, passwordRevision, factors } = bound.account
  return `challenge:${purpose}:${bound.sessionId ?? ''}:${registration}:${passwordRevision}:${factors.revision}`
}

/** Returns the bytes that a passkey signs for a challenge, in base64url. */
export const webauthnChallenge = (token: string): string =>
  createHash('sha256').update(token).digest('base64url')
