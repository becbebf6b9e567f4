import type { UserId } from '#lib/kernel/id'
import { sha256 } from '#lib/kernel/signatures'
import type { Key } from '#lib/kernel/write'

/** The second factors of an account. */
export const factorsKey = (id: UserId): Key => ({ pk: `FACTORS#${id}`, sk: 'FACTORS' })

/**
 * The owner of a passkey: the condition on this key keeps credentials unique. The id is hashed, because an authenticator
 * chooses its length.
 */
export const passkeyKey = (credentialId: string): Key => ({
  pk: `PASSKEY#${hashOf(credentialId)}`,
  sk: 'PASSKEY',
})

/** The mark that a challenge was used up: the condition on this key lets it be used once. */
export const spentChallengeKey = (token: string): Key => ({
  pk: `CHALLENGE#${hashOf(token)}`,
  sk: 'CHALLENGE',
})

/** The factors that are removed on the UTC day of a moment. */
export const removalPartition = (moment: string): string => `FACTORS-DUE#${moment.slice(0, 10)}`

/** A scheduled removal of factors. Removals sort by time. */
export const removalKey = (at: string, id: UserId): Key => ({ pk: removalPartition(at), sk: `${at}#${id}` })

const hashOf = (text: string): string => sha256(text, 'base64url')
