import type { EventId, UserId } from '#lib/kernel/id'

/** The object of an export. A rule of the bucket removes what is under `exports/` after a day. */
export const exportObjectKey = (userId: UserId, exportId: EventId): string =>
  `${exportObjectPrefix(userId)}${exportId}.json`

/** What the objects of a person's exports begin with. */
export const exportObjectPrefix = (userId: UserId): string => `exports/${userId}/`
