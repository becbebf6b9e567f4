import { consumer } from '#lib/http/consumer'
import { clock } from '#lib/http/runtime'
import { readMailEvent } from '#lib/mail/mail-event'
import { mailStores } from '#lib/mail/mail-stores.dynamo'
import { suppressAddresses } from '#lib/mail/suppress-addresses'

export const { spec, handler } = consumer({
  name: 'suppressAddresses',
  summary: 'Ends mail to addresses that bounced or complained',
  deps: { ...mailStores, now: clock },
  read: readMailEvent,
  run: async (event, deps) => event && suppressAddresses(deps, event),
})
