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
    MAIL: ['get', 'update'],
    'MAIL-DUE': ['put', 'remove'],
    'MAIL-UNSENT': ['query', 'put', 'remove'],
    LINK: ['batch'],
    'gsi1:USER': ['query'],
    SUPPRESSION: ['remove'],
  },
  {
    usesTestedElsewhere: {
      because: 'a person may have no unsent mail and no unused link',
      uses: {
        MAIL: ['get', 'update'],
        'MAIL-DUE': ['put', 'remove'],
        'MAIL-UNSENT': ['put', 'remove'],
        LINK: ['batch'],
      },
    },
  },
)
