import { createHash } from 'node:crypto'
import type { Key } from '#lib/kernel/write'

/**
 * The number of a subject's actions of one kind in the window that ends at `endsAtSeconds`. Hashed, since a subject may
 * hold anything.
 */
export const quotaKey = (policy: string, subject: string, endsAtSeconds: number): Key => ({
  pk: `QUOTA#${createHash('sha256').update(subject).digest('base64url')}`,
  sk: `${policy}#${endsAtSeconds}`,
})
