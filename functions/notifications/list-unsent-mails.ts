import { administrator } from '#lib/accounts/access'
import { cursors } from '#lib/dynamo/cursor'
import { endpoint } from '#lib/http/endpoint'
import { PageQuery, pageOf } from '#lib/kernel/page'
import { mailReader } from '#lib/mail/mail-queue.dynamo'
import { listUnsentMails, UnsentMail } from '#lib/mail/unsent-mails'

export const { spec, handler } = endpoint({
  route: 'GET /admin/mails',
  summary: 'Mails that could not be sent',
  description:
    'Newest first, for seven days. Mails that the service still retries are included; a mail leaves the list once it ' +
    'is sent. A mail that bounced comes back to the list. Mails to an address that bounced or complained are listed instead ' +
    'of sent, and their `error` says so.',
  access: administrator(['support']),
  input: { query: PageQuery },
  output: { 200: pageOf(UnsentMail) },
  problems: ['invalid_cursor'],
  deps: { mails: mailReader, cursors },
  run: ({ query }, deps) => listUnsentMails(deps, query),
})
