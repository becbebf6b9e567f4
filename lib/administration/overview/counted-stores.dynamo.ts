import { accountReader } from '#lib/accounts/account-reader.dynamo'
import { userLists } from '#lib/accounts/user-lists.dynamo'
import { withUsesTestedElsewhere } from '#lib/config/config'
import { enquiryStore } from '#lib/enquiries/enquiry-store.dynamo'
import { listingStore } from '#lib/listings/listing-store.dynamo'
import { callbackStore } from '#lib/payments/callbacks/callback-store.dynamo'
import { paymentStore } from '#lib/payments/payment-store.dynamo'
import { payoutStore } from '#lib/payouts/payout-store.dynamo'
import { reportStore } from '#lib/reports/report-store.dynamo'

/** Why a test need not make use of a store's permissions. */
const MAY_BE_EMPTY = 'a list that is walked may hold no record to read'

/** The stores of what the overview counts. */
export const countedStores = {
  accounts: accountReader,
  userLists,
  listings: listingStore.only('get', 'queued'),
  reports: reportStore.only('get', 'open'),
  enquiries: withUsesTestedElsewhere(enquiryStore.only('get', 'reported'), MAY_BE_EMPTY),
  callbacks: withUsesTestedElsewhere(callbackStore.only('get', 'list'), MAY_BE_EMPTY),
  payments: paymentStore.only('get', 'list'),
  payouts: payoutStore.only('get', 'list'),
}
