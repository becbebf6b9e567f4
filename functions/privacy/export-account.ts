import { user } from '#lib/accounts/access'
import { sessionStore } from '#lib/accounts/sessions/session-store.dynamo'
import { statusDecisions } from '#lib/accounts/status-decisions.dynamo'
import { enquiryStore } from '#lib/enquiries/enquiry-store.dynamo'
import { endpoint } from '#lib/http/endpoint'
import { seeOther } from '#lib/http/reply'
import { clock, ids } from '#lib/http/runtime'
import { kycRecords } from '#lib/kyc/kyc-records.dynamo'
import { listingStore } from '#lib/listings/listing-store.dynamo'
import { inbox } from '#lib/notifications/inbox.dynamo'
import { paymentStore } from '#lib/payments/payment-store.dynamo'
import { requestStore } from '#lib/payments/requests/request-store.dynamo'
import { AccountExport, exportAccount } from '#lib/privacy/export-account'
import { exportFiles } from '#lib/privacy/export-files.s3'
import { reportStore } from '#lib/reports/report-store.dynamo'

export const { spec, handler } = endpoint({
  route: 'GET /auth/export',
  summary: 'Everything held about the caller',
  description:
    'One JSON document. Beyond 5 MB the answer is 303 with a private link in `Location` that lives five minutes. ' +
    'It holds no hashes and no notes or names of administrators; documents are named, without their bytes.',
  access: user,
  output: { 200: AccountExport, 303: null },
  writes: 'objects',
  deps: {
    sessions: sessionStore,
    statuses: statusDecisions,
    records: kycRecords,
    files: exportFiles,
    listings: listingStore,
    enquiries: enquiryStore,
    reports: reportStore,
    inbox,
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
