import type { MailId } from '#lib/kernel/id'
import type { Key } from '#lib/kernel/write'

/** A message that somebody has asked for. */
export const mailRequestKey = (id: MailId): Key => ({ pk: `MAIL#${id}`, sk: 'MAIL' })
