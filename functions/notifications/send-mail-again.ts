import { administrator } from '#lib/accounts/access'
import { recorded } from '#lib/dynamo/idempotency.dynamo'
import { endpoint } from '#lib/http/endpoint'
import { clock, ids } from '#lib/http/runtime'
import { journal } from '#lib/journal/journal.dynamo'
import { MailId } from '#lib/kernel/id'
import { mails } from '#lib/mail/mail-queue.dynamo'
import { sendMailAgain } from '#lib/mail/unsent-mails'

export const { spec, handler } = endpoint({
  route: 'POST /admin/mails/{id}/send',
  summary: 'Send a mail that could not be sent once more',
  description:
    'The mail is sent at once, whatever its age. `GET /admin/mails` shows whether that succeeded. If the address was ' +
    'suppressed, since a mail to it bounced or was complained of, mail is sent to it again from then on.',
  access: administrator(['support']),
  input: { params: { id: MailId } },
  output: { 202: null },
  problems: ['not_found'],
  idempotency: recorded,
  deps: { mails, journal, now: clock, newId: ids },
  run: ({ actor, params }, deps) => sendMailAgain(deps, actor.subject, params.id),
})
