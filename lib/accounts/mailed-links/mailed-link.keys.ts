import type { EventId } from '#lib/kernel/id'
import type { Key } from '#lib/kernel/write'

/** A link that was mailed and is not used yet. */
export const mailedLinkKey = (id: EventId): Key => ({ pk: `LINK#${id}`, sk: 'LINK' })
