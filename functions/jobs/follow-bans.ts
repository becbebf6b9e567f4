import { accountReader } from '#lib/accounts/account-reader.dynamo'
import { EligibilityChange } from '#lib/accounts/eligibility'
import { readNewItem } from '#lib/dynamo/stream'
import { consumer } from '#lib/http/consumer'
import { clock, ids } from '#lib/http/runtime'
import { bookChange } from '#lib/ledger/book-change'
import { cancelRequestsOfBanned } from '#lib/payment-requests/cancel-all'
import { paymentChangeStores } from '#lib/payment-requests/payment-change-stores.dynamo'
import { requestStore } from '#lib/payment-requests/request-store.dynamo'

export const { spec, handler } = consumer({
  name: 'followBans',
  summary: 'Cancels the open payment requests of people who are banned',
  deps: {
    ...paymentChangeStores,
    requests: requestStore.only('get', 'ofUser', 'getSeries', 'endSeries', 'replace', 'commit'),
    accounts: accountReader,
    now: clock,
    newId: ids,
  },
  read: readNewItem,
  run: (item, deps) =>
    cancelRequestsOfBanned({ ...deps, bookChange: bookChange(deps) }, EligibilityChange.parse(item).userId),
})
