import { accountFinder } from '#lib/accounts/account-reader.dynamo'
import { linkPages } from '#lib/accounts/mailed-links/link-pages'
import { mailedLinks } from '#lib/accounts/mailed-links/mailed-links.dynamo'
import { sessionReader } from '#lib/accounts/sessions/session-store.dynamo'
import { loginThrottle } from '#lib/accounts/throttle/throttle.dynamo'
import { hmacKeys } from '#lib/config/keys'
import { readNewItem } from '#lib/dynamo/stream'
import { consumer } from '#lib/http/consumer'
import { failureCounter, waitingMeasure } from '#lib/http/count'
import { clock } from '#lib/http/runtime'
import { MailId } from '#lib/kernel/id'
import { kycReader } from '#lib/kyc/kyc-store.dynamo'
import { listingReader } from '#lib/listings/listing-reader.dynamo'
import { mailer } from '#lib/mail/configured-mailer'
import { deliverMail } from '#lib/mail/deliver-mail'
import { mails } from '#lib/mail/mail-queue.dynamo'
import { suppressions } from '#lib/mail/suppression.dynamo'
import { mailPages } from '#lib/notifications/mail-pages'
import { notificationReader } from '#lib/notifications/notification-store.dynamo'
import { mailWriter } from '#lib/notifications/write-mail'
import { requestReader } from '#lib/payment-requests/request-store.dynamo'
import { savedSearchReader } from '#lib/saved-searches/saved-search-store.dynamo'

export const { spec, handler } = consumer({
  name: 'sendMail',
  summary: 'Sends the mails that other functions requested',
  deps: {
    mails,
    suppressions,
    mailer,
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
  read: readNewItem,
  // An administrator's `POST /admin/mails/{id}/send` stores an item of the kind `mail-again`.
  run: ({ id, kind }, deps) =>
    deliverMail({ ...deps, write: mailWriter(deps) }, MailId.parse(id), { isManual: kind === 'mail-again' }),
})
