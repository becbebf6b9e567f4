import { sessionEraser } from '#lib/accounts/sessions/session-eraser.dynamo'
import { withUsesTestedElsewhere } from '#lib/config/config'
import { idempotencyErasure } from '#lib/dynamo/idempotency-erasure.dynamo'
import { enquiryStore } from '#lib/enquiries/enquiry-store.dynamo'
import { favouriteStore } from '#lib/favourites/favourite-store.dynamo'
import { journal } from '#lib/journal/journal.dynamo'
import { documentEraser } from '#lib/kyc/document-files.s3'
import { kycStore } from '#lib/kyc/kyc-store.dynamo'
import { listingStore } from '#lib/listings/listing-store.dynamo'
import { notificationStore } from '#lib/notifications/notification-store.dynamo'
import { paymentChangeStores } from '#lib/payment-requests/payment-change-stores.dynamo'
import { requestStore } from '#lib/payment-requests/request-store.dynamo'
import { callbackStore } from '#lib/payments/callbacks/callback-store.dynamo'
import { paymentStore } from '#lib/payments/payment-store.dynamo'
import { reportStore } from '#lib/reports/report-store.dynamo'
import { matchStore } from '#lib/saved-searches/match-store.dynamo'
import { savedSearchStore } from '#lib/saved-searches/saved-search-store.dynamo'
import { exportEraser } from './export-files.s3.ts'
import { mailErasure } from './mail-erasure.ts'

/**
 * The reason for which no test has to show every permission of a store. The stores without it are used in full by tests,
 * or have a reason of their own.
 */
const ERASED = 'what an erasure changes depends on what the person had'

/** The stores from which a person is erased. A store named here replaces that of `paymentChangeStores`. */
export const erasedStores = {
  ...paymentChangeStores,
  payments: withUsesTestedElsewhere(
    paymentStore.only('get', 'byUser', 'list', 'countBegun', 'requireBegun', 'save', 'recordMove', 'commit'),
    ERASED,
  ),
  requests: withUsesTestedElsewhere(
    requestStore.only('get', 'ofUser', 'getSeries', 'endSeries', 'replace', 'commit'),
    ERASED,
  ),
  enquiries: withUsesTestedElsewhere(
    enquiryStore.only('get', 'messages', 'ofUser', 'replace', 'countRequests', 'eraseMessage', 'commit'),
    ERASED,
  ),
  listings: withUsesTestedElsewhere(
    listingStore.only(
      'get',
      'byAgent',
      'replace',
      'recordMove',
      'counts',
      'countMove',
      'availabilityCalls',
      'requireAvailabilityCalls',
      'commit',
    ),
    ERASED,
  ),
  callbacks: withUsesTestedElsewhere(
    callbackStore.only('waiting', 'ofPayment', 'list', 'erase', 'commit'),
    ERASED,
  ),
  mail: withUsesTestedElsewhere(mailErasure, ERASED),
  kycStore: withUsesTestedElsewhere(
    kycStore.only('listDocuments', 'listWithdrawn', 'removeDocument', 'commit'),
    ERASED,
  ),
  sessions: sessionEraser,
  notifications: notificationStore.only('close'),
  reports: withUsesTestedElsewhere(reportStore.only('byUser', 'anonymize', 'commit'), ERASED),
  favourites: withUsesTestedElsewhere(favouriteStore.only('get', 'ofUser', 'remove', 'commit'), ERASED),
  searches: withUsesTestedElsewhere(savedSearchStore.only('get', 'ofUser', 'remove', 'commit'), ERASED),
  matches: withUsesTestedElsewhere(matchStore.only('removeOf'), ERASED),
  journal: withUsesTestedElsewhere(journal.only('list'), ERASED),
  files: documentEraser,
  exports: exportEraser,
  answers: withUsesTestedElsewhere(idempotencyErasure, ERASED),
}
