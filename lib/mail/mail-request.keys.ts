import type { EventId } from '#lib/kernel/id'
import type { Key } from '#lib/kernel/write'

/** A message that somebody has asked for. */
export const mailRequestKey = (id: EventId): Key => ({ pk: `MAIL#${id}`, sk: 'MAIL' })
