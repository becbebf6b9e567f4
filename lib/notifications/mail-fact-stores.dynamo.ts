import { accountStore } from '#lib/accounts/account-store.dynamo'
import { mailedLinks } from '#lib/accounts/mailed-links/mailed-links.dynamo'
import { sessionStore } from '#lib/accounts/sessions/session-store.dynamo'
import { withUsesTestedElsewhere } from '#lib/config/config'
import { kycStore } from '#lib/kyc/kyc-store.dynamo'
import { listingStore } from '#lib/listings/listing-store.dynamo'
import { requestStore } from '#lib/payment-requests/request-store.dynamo'
import { savedSearchStore } from '#lib/saved-searches/saved-search-store.dynamo'
import { notificationStore } from './notification-store.dynamo.ts'

const BY_KIND = 'no function is tested with every kind of mail, and each kind reads other records'

/** The stores that hold what a mail says. */
export const mailFactStores = {
  notifications: notificationStore.only('state', 'get'),
  accounts: accountStore.only('get', 'getMany', 'byEmail'),
  sessions: withUsesTestedElsewhere(sessionStore.only('get'), BY_KIND),
  listings: withUsesTestedElsewhere(listingStore.only('getMany', 'move', 'moves'), BY_KIND),
  searches: withUsesTestedElsewhere(savedSearchStore.only('get'), BY_KIND),
  kycStore: withUsesTestedElsewhere(kycStore.only('listDecisions'), BY_KIND),
  requests: withUsesTestedElsewhere(requestStore.only('get'), BY_KIND),
  mailedLinks: mailedLinks.only('get', 'insert', 'commit'),
}
