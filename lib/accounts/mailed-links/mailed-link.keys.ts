import type { MailId } from '#lib/kernel/id'
import type { Key } from '#lib/kernel/write'

/** A link that was mailed and is not used yet. */
export const mailedLinkKey = (id: MailId): Key => ({ pk: `LINK#${id}`, sk: 'LINK' })
