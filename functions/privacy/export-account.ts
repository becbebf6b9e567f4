import { steppedUpWithFactor, user } from '#lib/accounts/access'
import { sessionStore } from '#lib/accounts/sessions/session-store.dynamo'
import { statusDecisions } from '#lib/accounts/status-decisions.dynamo'
import { quotas } from '#lib/dynamo/quotas'
import { enquiryStore } from '#lib/enquiries/enquiry-store.dynamo'
import { favouriteStore } from '#lib/favourites/favourite-store.dynamo'
import { endpoint } from '#lib/http/endpoint'
import { seeOther } from '#lib/http/reply'
import { clock, ids } from '#lib/http/runtime'
import { kycStore } from '#lib/kyc/kyc-store.dynamo'
import { listingStore } from '#lib/listings/listing-store.dynamo'
import { notificationStore } from '#lib/notifications/notification-store.dynamo'
import { paymentStore } from '#lib/payments/payment-store.dynamo'
import { requestStore } from '#lib/payments/requests/request-store.dynamo'
import { AccountExport, exportAccount } from '#lib/privacy/export-account'
import { exportFiles } from '#lib/privacy/export-files.s3'
import { reportStore } from '#lib/reports/report-store.dynamo'
import { savedSearchStore } from '#lib/saved-searches/saved-search-store.dynamo'

export const { spec, handler } = endpoint({
  route: 'GET /auth/export',
  summary: 'Everything held about the caller',
  description: 'Without hashes, files and administrators’ notes. Beyond 5 MB a 303 to a link; three a day.',
  access: steppedUpWithFactor(user),
  output: { 200: AccountExport, 303: null },
  problems: ['too_many_requests'],
  writes: ['records', 'objects'],
  deps: {
    quotas,
    sessions: sessionStore,
    statuses: statusDecisions,
    kycStore,
    files: exportFiles,
    listings: listingStore,
    enquiries: enquiryStore,
    reports: reportStore,
    notifications: notificationStore,
    favourites: favouriteStore,
    searches: savedSearchStore,
    requests: requestStore,
    payments: paymentStore,
    now: clock,
    newId: ids,
  },
  run: async ({ actor }, deps) => {
    const { document, link } = await exportAccount(deps, actor.account)
    return link === null ? { status: 200, body: document } : seeOther(link)
  },
})
