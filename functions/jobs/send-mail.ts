import { accountStore } from '#lib/accounts/account-store.dynamo'
import { linkPages } from '#lib/accounts/mailed-links/link-pages'
import { mailedLinks } from '#lib/accounts/mailed-links/mailed-links.dynamo'
import { sessionStore } from '#lib/accounts/sessions/session-store.dynamo'
import { loginThrottle } from '#lib/accounts/throttle/throttle.dynamo'
import { readNewItem } from '#lib/dynamo/stream'
import { hmacKeys } from '#lib/hmac-keys'
import { consumer } from '#lib/http/consumer'
import { failureCounter, waitingMeasure } from '#lib/http/count'
import { clock } from '#lib/http/runtime'
import { MailId } from '#lib/kernel/id'
import { kycStore } from '#lib/kyc/kyc-store.dynamo'
import { listingStore } from '#lib/listings/listing-store.dynamo'
import { mailer } from '#lib/mail/configured-mailer'
import { deliverMail } from '#lib/mail/deliver-mail'
import { mailStores } from '#lib/mail/mail-stores.dynamo'
import { mailPages } from '#lib/notifications/mail-pages'
import { notificationStore } from '#lib/notifications/notification-store.dynamo'
import { mailWriter } from '#lib/notifications/write-mail'
import { requestStore } from '#lib/payments/requests/request-store.dynamo'
import { savedSearchStore } from '#lib/saved-searches/saved-search-store.dynamo'

export const { spec, handler } = consumer({
  name: 'sendMail',
  summary: 'Sends the mails that were asked for',
  deps: {
    ...mailStores,
    mailer,
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
  read: readNewItem,
  run: ({ id, kind }, deps) =>
    deliverMail({ ...deps, write: mailWriter(deps) }, MailId.parse(id), { isManual: kind === 'mail-again' }),
})
