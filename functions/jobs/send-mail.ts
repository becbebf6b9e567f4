import { accountStore } from '#lib/accounts/account-store.dynamo'
import { linkPages } from '#lib/accounts/mailed-links/link-pages'
import { mailedLinks } from '#lib/accounts/mailed-links/mailed-links.dynamo'
import { sendRequestedMail } from '#lib/accounts/mailed-links/send-mail'
import { counterStore } from '#lib/accounts/throttle/counters.dynamo'
import { readNewItem } from '#lib/dynamo/stream'
import { hmacKeys } from '#lib/hmac-keys'
import { consumer } from '#lib/http/consumer'
import { clock } from '#lib/http/runtime'
import { mailer } from '#lib/mail/configured-mailer'

export const { spec, handler } = consumer({
  name: 'sendMail',
  summary: 'Sends the mails that were asked for, to whom an account belongs',
  deps: {
    accounts: accountStore,
    links: mailedLinks,
    counters: counterStore,
    mailer,
    pages: linkPages,
    hmacKeys,
    now: clock,
  },
  read: readNewItem,
  run: (item, deps) => sendRequestedMail(deps, [item]),
})
