import type { ExportId, UserId } from '#lib/kernel/id'
import type { Key } from '#lib/kernel/write'

/** The rest of an account that has ended. */
export const deletionKey = (id: UserId): Key => ({ pk: `USER#${id}`, sk: 'DELETION' })

/** The object of an export. A rule of the bucket removes what is under `exports/` after a day. */
export const exportObjectKey = (userId: UserId, exportId: ExportId): string =>
  `${exportObjectPrefix(userId)}${exportId}.json`

/** The beginning of the keys of a person's exports. */
export const exportObjectPrefix = (userId: UserId): string => `exports/${userId}/`

/** That an account was taken back by the owner of its address. */
export const takeBackKey = (id: UserId): Key => ({ pk: `USER#${id}`, sk: 'TAKE-BACK' })
