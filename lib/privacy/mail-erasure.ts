import { openMailedLinks } from '#lib/accounts/mailed-links/mailed-links.dynamo'
import { onTable } from '#lib/dynamo/table'
import { openMailQueue } from '#lib/mail/mail-queue.dynamo'
import { openSuppressionList } from '#lib/mail/suppression.dynamo'

/** Where mail holds addresses: what is still to be sent, links that are not used yet, and suppressions. */
export const mailErasure = onTable(
  (table) => ({
    queue: openMailQueue(table),
    mailedLinks: openMailedLinks(table),
    suppressions: openSuppressionList(table),
  }),
  { LINK: ['batch'] },
)
