import { user } from '#lib/accounts/access'
import { apiKeyReader } from '#lib/accounts/api-keys/api-key-store.dynamo'
import { factorReader } from '#lib/accounts/second-factor/factor-store.dynamo'
import { steppedUpWithFactor } from '#lib/accounts/sessions/access'
import { sessionReader } from '#lib/accounts/sessions/session-store.dynamo'
import { statusReader } from '#lib/accounts/status-decisions.dynamo'
import { dataKeys } from '#lib/config/keys'
import { quotas } from '#lib/dynamo/quotas'
import { enquiryReader } from '#lib/enquiries/enquiry-store.dynamo'
import { favouriteReader } from '#lib/favourites/favourite-store.dynamo'
import { endpoint } from '#lib/http/endpoint'
import { seeOther } from '#lib/http/reply'
import { clock, ids } from '#lib/http/runtime'
import { kycReader } from '#lib/kyc/kyc-store.dynamo'
import { listings } from '#lib/listings/listing-store.dynamo'
import { notificationReader } from '#lib/notifications/notification-store.dynamo'
import { requestReader } from '#lib/payment-requests/request-store.dynamo'
import { paymentReader } from '#lib/payments/payment-store.dynamo'
import { payoutAccountReader } from '#lib/payouts/payout-account-store.dynamo'
import { payoutReader } from '#lib/payouts/payout-store.dynamo'
import { AccountExport, exportAccount } from '#lib/privacy/export-account'
import { exportFiles } from '#lib/privacy/export-files.s3'
import { exportLinks } from '#lib/privacy/export-links.s3'
import { reportReader } from '#lib/reports/report-store.dynamo'
import { savedSearchReader } from '#lib/saved-searches/saved-search-store.dynamo'

export const { spec, handler } = endpoint({
  route: 'GET /auth/export',
  summary: 'Everything held about the caller',
  description:
    'Without hashes, files and administrators’ notes. An export beyond 5 MB is answered by a 303 to a link. At most three a day.',
  access: steppedUpWithFactor(user),
  output: { 200: AccountExport, 303: null },
  problems: ['too_many_requests'],
  deps: {
    quotas,
    factors: factorReader,
    apiKeys: apiKeyReader,
    sessions: sessionReader,
    statuses: statusReader,
    kycStore: kycReader,
    listings,
    enquiries: enquiryReader,
    reports: reportReader,
    notifications: notificationReader,
    favourites: favouriteReader,
    searches: savedSearchReader,
    requests: requestReader,
    payments: paymentReader,
    payouts: payoutReader,
    payoutAccounts: payoutAccountReader,
    files: exportFiles,
    links: exportLinks,
    dataKeys,
    now: clock,
    newId: ids,
  },
  run: async ({ actor }, deps) => {
    const { document, link } = await exportAccount(deps, actor.account)
    return link === null ? { status: 200, body: document } : seeOther(link)
  },
})
