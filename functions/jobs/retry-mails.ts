import { linkPages } from '#lib/accounts/mailed-links/link-pages'
import { loginThrottle } from '#lib/accounts/throttle/throttle.dynamo'
import { hmacKeys } from '#lib/config/keys'
import { failureCounter, waitingMeasure } from '#lib/http/count'
import { job } from '#lib/http/job'
import { clock, timer } from '#lib/http/runtime'
import { mailer, sendingRate } from '#lib/mail/configured-mailer'
import { deliverDueMails } from '#lib/mail/deliver-mail'
import { mailQueue } from '#lib/mail/mail-queue.dynamo'
import { mailStores } from '#lib/mail/mail-stores.dynamo'
import { mailFactStores } from '#lib/notifications/mail-fact-stores.dynamo'
import { mailPages } from '#lib/notifications/mail-pages'
import { mailWriter } from '#lib/notifications/write-mail'

export const { spec, handler } = job({
  name: 'retryMails',
  summary: 'Sends mails again whose last attempt failed',
  deps: {
    ...mailStores,
    mails: mailQueue.only('get', 'progress', 'due', 'removeDue', 'commit'),
    mailer,
    sendingRate,
    sleep: timer,
    ...mailFactStores,
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
