import { accountStore } from '#lib/accounts/account-store.dynamo'
import { linkPages } from '#lib/accounts/mailed-links/link-pages'
import { mailedLinks } from '#lib/accounts/mailed-links/mailed-links.dynamo'
import { sessionStore } from '#lib/accounts/sessions/session-store.dynamo'
import { loginThrottle } from '#lib/accounts/throttle/throttle.dynamo'
import { hmacKeys } from '#lib/hmac-keys'
import { failureCounter, waitingMeasure } from '#lib/http/count'
import { job } from '#lib/http/job'
import { clock, timer } from '#lib/http/runtime'
import { kycStore } from '#lib/kyc/kyc-store.dynamo'
import { listingStore } from '#lib/listings/listing-store.dynamo'
import { mailer, sendingRate } from '#lib/mail/configured-mailer'
import { deliverDueMails } from '#lib/mail/deliver-mail'
import { mailStores } from '#lib/mail/mail-stores.dynamo'
import { mailPages } from '#lib/notifications/mail-pages'
import { notificationStore } from '#lib/notifications/notification-store.dynamo'
import { mailWriter } from '#lib/notifications/write-mail'
import { requestStore } from '#lib/payments/requests/request-store.dynamo'
import { savedSearchStore } from '#lib/saved-searches/saved-search-store.dynamo'

export const { spec, handler } = job({
  name: 'retryMails',
  summary: 'Sends mails again whose last attempt failed',
  deps: {
    ...mailStores,
    mailer,
    sendingRate,
    sleep: timer,
    notifications: notificationStore,
    accounts: accountStore,
    sessions: sessionStore,
    listings: listingStore,
    searches: savedSearchStore,
    kycStore,
    requests: requestStore,
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
