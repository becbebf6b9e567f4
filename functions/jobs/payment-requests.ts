import { accountReaderWithConditions } from '#lib/accounts/account-reader.dynamo'
import { enquiryStore } from '#lib/enquiries/enquiry-store.dynamo'
import { job } from '#lib/http/job'
import { clock, ids } from '#lib/http/runtime'
import { bookChange } from '#lib/ledger/book-change'
import { actOnRequests } from '#lib/payment-requests/act-on-requests'
import { paymentChangeStores } from '#lib/payment-requests/payment-change-stores.dynamo'
import { requestStore } from '#lib/payment-requests/request-store.dynamo'

export const { spec, handler } = job({
  name: 'paymentRequests',
  summary: 'Makes the next requests of series, sends reminders, and ends overdue payment requests',
  deps: {
    ...paymentChangeStores,
    requests: requestStore.only(
      'get',
      'due',
      'getSeries',
      'insert',
      'replaceSeries',
      'endSeries',
      'replace',
      'commit',
    ),
    enquiries: enquiryStore.only('get', 'replace', 'countRequests'),
    accounts: accountReaderWithConditions,
    now: clock,
    newId: ids,
  },
  // An event's time replaces the clock `now`.
  acceptsTime: true,
  run: (_event, deps) => actOnRequests({ ...deps, bookChange: bookChange(deps) }),
})
