import * as z from 'zod'
import { Timestamp } from '#lib/kernel/clock'
import { ApiKeyId, UserId } from '#lib/kernel/id'
import { makeSecret } from '#lib/kernel/random'
import { sha256 } from '#lib/kernel/signatures'
import { ApiKeyScope } from './scope.ts'

/** An agent's API key. The key itself is kept only as a hash, and is valid while its account lists it. */
export const ApiKey = z.object({
  id: ApiKeyId,
  userId: UserId,
  hash: z.string(),
  name: z.string().meta({ example: 'Import of the office' }),
  scopes: z.array(ApiKeyScope),
  last4: z.string().meta({ example: 'q7Rk' }),
  createdAt: Timestamp,
  expiresAt: Timestamp.nullable().meta({ example: '2026-12-20T17:00:00.000Z' }),
})
export type ApiKey = z.infer<typeof ApiKey>

/** A key as its agent sees it after it was made: without the key itself. */
export const ApiKeyView = ApiKey.omit({ userId: true, hash: true }).meta({ id: 'ApiKey' })

/** Makes a key of 256 bits: `pak_` and 43 characters. */
export const newKey = (): string => `pak_${makeSecret(32)}`

/** Returns the hash of a key, which is stored in place of the key. */
export const keyHash = (key: string): string => sha256(key, 'base64url')

export const isExpired = ({ expiresAt }: Pick<ApiKey, 'expiresAt'>, now: Date): boolean =>
  expiresAt !== null && Date.parse(expiresAt) <= now.getTime()
