import type { MailId, UserId } from '#lib/kernel/id'
import type { Key } from '#lib/kernel/write'

/** A link that was mailed and is not used yet. */
export const mailedLinkKey = (id: MailId): Key => ({ pk: `LINK#${id}`, sk: 'LINK' })

const linksOf = (userId: UserId): string => `USER#${userId}#LINKS`

/** The entry in the index that lists a link among those of its account. */
export const userLinksEntry = (userId: UserId, id: MailId) => ({ gsi1pk: linksOf(userId), gsi1sk: id })

/** All links of an account. */
export const userLinksQuery = (userId: UserId) => ({ partition: linksOf(userId), index: 'gsi1' as const })
