import type { UserId } from '#lib/kernel/id'
import type { Key } from '#lib/kernel/write'

/** The password hash of an account. */
export const passwordKey = (id: UserId): Key => ({ pk: `PASSWORD#${id}`, sk: 'PASSWORD' })
