import type { ExportId, UserId } from '#lib/kernel/id'
import type { Key } from '#lib/kernel/write'

/** What is stored of a deleted account. */
export const deletionKey = (id: UserId): Key => ({ pk: `USER#${id}`, sk: 'DELETION' })

/** The object key of an export. A rule of the bucket removes what is under `exports/` after a day. */
export const exportObjectKey = (userId: UserId, exportId: ExportId): string =>
  `${exportObjectPrefix(userId)}${exportId}.json`

/** The prefix of the object keys of a person's exports. */
export const exportObjectPrefix = (userId: UserId): string => `exports/${userId}/`

/** The record of an account that the owner of its address took back. */
export const takeBackKey = (id: UserId): Key => ({ pk: `USER#${id}`, sk: 'TAKE-BACK' })
