import { enquiryStore } from '#lib/enquiries/enquiry-store.dynamo'
import { job } from '#lib/http/job'
import { clock, ids } from '#lib/http/runtime'
import { expireRequests } from '#lib/payments/requests/expire-requests'
import { requestStore } from '#lib/payments/requests/request-store.dynamo'

export const { spec, handler } = job({
  name: 'expirePaymentRequests',
  summary: 'Ends payment requests that nobody paid in time',
  deps: { requests: requestStore, enquiries: enquiryStore, now: clock, newId: ids },
  run: (_event: unknown, deps) => expireRequests(deps),
})
