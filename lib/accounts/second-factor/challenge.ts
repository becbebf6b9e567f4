import * as z from 'zod'
import type { Account } from '#lib/accounts/account'
import { type Clock, MINUTE_SECONDS, secondsAfter, unixSeconds } from '#lib/kernel/clock'
import { type SessionId, UserId } from '#lib/kernel/id'
import { openToken, sealToken } from '#lib/kernel/sealed-token'
import { sha256 } from '#lib/kernel/signatures'
import type { HmacKeys } from '#lib/kernel/signed-token'

/** A challenge as a client shows it. */
export const ChallengeToken = z
  .string()
  .min(1)
  .max(500)
  .meta({ example: 'mZ1kq0…', description: 'Opaque; good for ten minutes and one success' })

const LIFETIME_SECONDS = 10 * MINUTE_SECONDS

/** The purpose of a challenge. It is void for any other purpose. */
type Purpose = 'sign-in' | 'passkey-sign-in' | 'passkey-registration' | 'step-up'

/** The account to which a challenge is bound, as it is now, and the session where there is one. */
type Bound = { account: Account; sessionId?: SessionId }

const Contents = z.object({
  expiresAtSeconds: z.int(),
  /** The account that the challenge is bound to; null for a sign-in by passkey alone, which begins without one. */
  userId: UserId.nullable(),
  /** The state of that account to which the challenge is bound, see `bindingOf`. */
  binding: z.string().nullable(),
  /** Whether the first step of the sign-in showed a valid device token. */
  isKnownDevice: z.boolean(),
})

/** A challenge that was opened. `FactorStore.spend` stores its token, so that it succeeds once. */
export type Challenge = z.infer<typeof Contents> & { token: string }

type Options = Bound & { isKnownDevice?: boolean }
type Deps = { hmacKeys: HmacKeys; now: Clock }

/** Makes a challenge. It is sealed, so that it names no account; only used challenges are stored. */
export const makeChallenge = (
  { hmacKeys, now }: Deps,
  purpose: Purpose,
  options?: Options,
): Promise<string> => {
  const contents: z.infer<typeof Contents> = {
    expiresAtSeconds: unixSeconds(secondsAfter(now(), LIFETIME_SECONDS)),
    userId: options?.account.id ?? null,
    binding: options ? bindingOf(options) : null,
    isKnownDevice: options?.isKnownDevice ?? false,
  }
  return sealToken(hmacKeys, labelOf(purpose), JSON.stringify(contents))
}

/** Opens a challenge. Returns undefined if the challenge is unknown, expired or for another purpose. */
export async function openChallenge(
  { hmacKeys, now }: Deps,
  purpose: Purpose,
  token: string,
): Promise<Challenge | undefined> {
  const text = await openToken(hmacKeys, labelOf(purpose), token)
  if (text === undefined) return undefined
  const contents = Contents.parse(JSON.parse(text))
  return contents.expiresAtSeconds * 1000 > now().getTime() ? { ...contents, token } : undefined
}

/**
 * Whether a challenge is of this account and session and not void: a ban, which replaces the registration, a new password
 * and a change of factors void it.
 */
export const isBoundTo = ({ userId, binding }: Challenge, bound: Bound): boolean =>
  userId === bound.account.id && binding === bindingOf(bound)

const bindingOf = ({ account, sessionId }: Bound): string =>
  `${sessionId ?? ''}:${account.registration}:${account.passwordRevision}:${account.factors.revision}`

const labelOf = (purpose: Purpose): string => `challenge:${purpose}`

/** Returns the bytes that a passkey signs for a challenge, in base64url. */
export const webauthnChallenge = (token: string): string => sha256(token, 'base64url')
