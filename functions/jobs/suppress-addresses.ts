import { accountFinder } from '#lib/accounts/account-reader.dynamo'
import { consumer } from '#lib/http/consumer'
import { clock } from '#lib/http/runtime'
import { readMailEvent } from '#lib/mail/mail-event'
import { mails } from '#lib/mail/mail-queue.dynamo'
import { suppressAddresses } from '#lib/mail/suppress-addresses'
import { suppressions } from '#lib/mail/suppression.dynamo'

export const { spec, handler } = consumer({
  name: 'suppressAddresses',
  summary: 'Ends mail to addresses from which a mail bounced or a complaint came',
  deps: { mails, suppressions, accounts: accountFinder, now: clock },
  read: readMailEvent,
  // The test message that SES sends to a new topic is no event.
  run: async (event, deps) => event && suppressAddresses(deps, event),
})
