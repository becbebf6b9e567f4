import { accountReader } from '#lib/accounts/account-reader.dynamo'
import { EligibilityChange } from '#lib/accounts/eligibility'
import { readNewItem } from '#lib/dynamo/stream'
import { enquiries } from '#lib/enquiries/enquiry-store.dynamo'
import { consumer } from '#lib/http/consumer'
import { clock, ids } from '#lib/http/runtime'
import { agentAccounts } from '#lib/ledger/agent-accounts.dynamo'
import { bookChange } from '#lib/ledger/book-change'
import { books } from '#lib/ledger/books.dynamo'
import { listings } from '#lib/listings/listing-store.dynamo'
import { cancelRequestsOfBanned } from '#lib/payment-requests/cancel-all'
import { holds } from '#lib/payment-requests/holds/hold-store.dynamo'
import { requests } from '#lib/payment-requests/request-store.dynamo'
import { payments } from '#lib/payments/payment-store.dynamo'

export const { spec, handler } = consumer({
  name: 'followBans',
  summary: 'Cancels the open payment requests of people who are banned',
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
  read: readNewItem,
  run: (item, deps) =>
    cancelRequestsOfBanned({ ...deps, bookChange: bookChange(deps) }, EligibilityChange.parse(item).userId),
})
