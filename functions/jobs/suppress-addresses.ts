import { accountStore } from '#lib/accounts/account-store.dynamo'
import { consumer } from '#lib/http/consumer'
import { clock } from '#lib/http/runtime'
import { readMailEvent } from '#lib/mail/mail-event'
import { mailQueue } from '#lib/mail/mail-queue.dynamo'
import { suppressAddresses } from '#lib/mail/suppress-addresses'
import { suppressionList } from '#lib/mail/suppression.dynamo'

export const { spec, handler } = consumer({
  name: 'suppressAddresses',
  summary: 'Ends mail to addresses from which a mail bounced or a complaint came',
  deps: {
    mails: mailQueue.only('get', 'progress', 'commit'),
    suppressions: suppressionList.only('add'),
    accounts: accountStore.only('get', 'byEmail'),
    now: clock,
  },
  read: readMailEvent,
  // The test message that SES sends to a new topic is no event.
  run: async (event, deps) => event && suppressAddresses(deps, event),
})
