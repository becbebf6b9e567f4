import { accountReader } from '#lib/accounts/account-reader.dynamo'
import { enquiries } from '#lib/enquiries/enquiry-store.dynamo'
import { job } from '#lib/http/job'
import { clock, ids } from '#lib/http/runtime'
import { agentAccounts } from '#lib/ledger/agent-accounts.dynamo'
import { bookChange } from '#lib/ledger/book-change'
import { books } from '#lib/ledger/books.dynamo'
import { listings } from '#lib/listings/listing-store.dynamo'
import { actOnRequests } from '#lib/payment-requests/act-on-requests'
import { holds } from '#lib/payment-requests/holds/hold-store.dynamo'
import { requests } from '#lib/payment-requests/request-store.dynamo'
import { payments } from '#lib/payments/payment-store.dynamo'

export const { spec, handler } = job({
  name: 'paymentRequests',
  summary: 'Makes the next requests of series, sends reminders, and ends overdue payment requests',
  deps: {
    payments,
    requests,
    holds,
    enquiries,
    listings,
    agentAccounts,
    books,
    accounts: accountReader,
    now: clock,
    newId: ids,
  },
  // An event's time replaces the clock `now`.
  acceptsTime: true,
  run: (_event, deps) => actOnRequests({ ...deps, bookChange: bookChange(deps) }),
})
