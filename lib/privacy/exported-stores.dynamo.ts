import { apiKeyStore } from '#lib/accounts/api-keys/api-key-store.dynamo'
import { factorStore } from '#lib/accounts/second-factor/factor-store.dynamo'
import { sessionStore } from '#lib/accounts/sessions/session-store.dynamo'
import { statusDecisions } from '#lib/accounts/status-decisions.dynamo'
import { enquiryStore } from '#lib/enquiries/enquiry-store.dynamo'
import { favouriteStore } from '#lib/favourites/favourite-store.dynamo'
import { kycStore } from '#lib/kyc/kyc-store.dynamo'
import { listingStore } from '#lib/listings/listing-store.dynamo'
import { notificationStore } from '#lib/notifications/notification-store.dynamo'
import { requestStore } from '#lib/payment-requests/request-store.dynamo'
import { paymentStore } from '#lib/payments/payment-store.dynamo'
import { payoutStore } from '#lib/payouts/payout-store.dynamo'
import { reportStore } from '#lib/reports/report-store.dynamo'
import { savedSearchStore } from '#lib/saved-searches/saved-search-store.dynamo'

/** The stores that hold something about a person which an export shows. `commit` is for the quota of exports. */
export const exportedStores = {
  factors: factorStore.only('get'),
  apiKeys: apiKeyStore.only('many'),
  sessions: sessionStore.only('many'),
  statuses: statusDecisions.only('of'),
  kycStore: kycStore.only('listDocuments', 'listDecisions', 'listGivenLinks'),
  listings: listingStore.only('byAgent', 'moves', 'commit'),
  enquiries: enquiryStore.only('ofUser', 'messages'),
  reports: reportStore.only('byUser'),
  notifications: notificationStore.only('list', 'state'),
  favourites: favouriteStore.only('ofUser'),
  searches: savedSearchStore.only('ofUser'),
  requests: requestStore.only('ofUser'),
  payments: paymentStore.only('byUser'),
  payouts: payoutStore.only('byAgent', 'account'),
}
