import { openMailedLinks } from '#lib/accounts/mailed-links/mailed-links.dynamo'
import { onTable } from '#lib/dynamo/table'
import { openMailQueue } from '#lib/mail/mail-queue.dynamo'
import { openSuppressionList } from '#lib/mail/suppression.dynamo'

/** The stores of mail from which an erasure removes an address: unsent mails, unused links and suppressions. */
export const mailErasure = onTable(
  (table) => ({
    queue: openMailQueue(table),
    mailedLinks: openMailedLinks(table),
    suppressions: openSuppressionList(table),
  }),
  {
    reads: ['MAIL', 'MAIL-UNSENT', 'gsi1:USER'],
    writes: ['LINK', 'MAIL', 'MAIL-DUE', 'MAIL-UNSENT', 'SUPPRESSION'],
  },
)
