import { accountFinder } from '#lib/accounts/account-reader.dynamo'
import { linkPages } from '#lib/accounts/mailed-links/link-pages'
import { mailedLinks } from '#lib/accounts/mailed-links/mailed-links.dynamo'
import { sessionReader } from '#lib/accounts/sessions/session-store.dynamo'
import { loginThrottle } from '#lib/accounts/throttle/throttle.dynamo'
import { hmacKeys } from '#lib/config/keys'
import { failureCounter, waitingMeasure } from '#lib/http/count'
import { job } from '#lib/http/job'
import { clock, timer } from '#lib/http/runtime'
import { kycReader } from '#lib/kyc/kyc-store.dynamo'
import { listingReader } from '#lib/listings/listing-reader.dynamo'
import { mailer, sendingRate } from '#lib/mail/configured-mailer'
import { deliverDueMails } from '#lib/mail/deliver-mail'
import { mails } from '#lib/mail/mail-queue.dynamo'
import { suppressions } from '#lib/mail/suppression.dynamo'
import { mailPages } from '#lib/notifications/mail-pages'
import { notificationReader } from '#lib/notifications/notification-store.dynamo'
import { mailWriter } from '#lib/notifications/write-mail'
import { requestReader } from '#lib/payment-requests/request-store.dynamo'
import { savedSearchReader } from '#lib/saved-searches/saved-search-store.dynamo'

export const { spec, handler } = job({
  name: 'retryMails',
  summary: 'Sends mails again whose last attempt failed',
  deps: {
    mails,
    suppressions,
    mailer,
    sendingRate,
    sleep: timer,
    notifications: notificationReader,
    accounts: accountFinder,
    sessions: sessionReader,
    listings: listingReader,
    searches: savedSearchReader,
    kycStore: kycReader,
    requests: requestReader,
    mailedLinks,
    throttle: loginThrottle,
    pages: linkPages,
    notificationPages: mailPages,
    hmacKeys,
    countFailure: failureCounter,
    measure: waitingMeasure,
    now: clock,
  },
  run: (_event, deps) => deliverDueMails({ ...deps, write: mailWriter(deps) }),
})
