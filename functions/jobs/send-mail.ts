import { linkPages } from '#lib/accounts/mailed-links/link-pages'
import { loginThrottle } from '#lib/accounts/throttle/throttle.dynamo'
import { hmacKeys } from '#lib/config/keys'
import { readNewItem } from '#lib/dynamo/stream'
import { consumer } from '#lib/http/consumer'
import { failureCounter, waitingMeasure } from '#lib/http/count'
import { clock } from '#lib/http/runtime'
import { MailId } from '#lib/kernel/id'
import { mailer } from '#lib/mail/configured-mailer'
import { deliverMail } from '#lib/mail/deliver-mail'
import { mailStores } from '#lib/mail/mail-stores.dynamo'
import { mailFactStores } from '#lib/notifications/mail-fact-stores.dynamo'
import { mailPages } from '#lib/notifications/mail-pages'
import { mailWriter } from '#lib/notifications/write-mail'

export const { spec, handler } = consumer({
  name: 'sendMail',
  summary: 'Sends the mails that other functions requested',
  deps: {
    ...mailStores,
    mailer,
    ...mailFactStores,
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
