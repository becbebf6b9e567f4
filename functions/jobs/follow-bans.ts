import { accountReader } from '#lib/accounts/account-reader.dynamo'
import { StandingChange } from '#lib/accounts/standing'
import { readNewItem } from '#lib/dynamo/stream'
import { enquiryStore } from '#lib/enquiries/enquiry-store.dynamo'
import { consumer } from '#lib/http/consumer'
import { clock, ids } from '#lib/http/runtime'
import { cancelRequestsOfBanned } from '#lib/payments/requests/cancel-all'
import { requestStore } from '#lib/payments/requests/request-store.dynamo'

export const { spec, handler } = consumer({
  name: 'followBans',
  summary: 'Cancels the open payment requests of people who are banned',
  deps: {
    accounts: accountReader,
    requests: requestStore,
    enquiries: enquiryStore,
    now: clock,
    newId: ids,
  },
  read: readNewItem,
  run: (item, deps) => cancelRequestsOfBanned(deps, StandingChange.parse(item).userId),
})
