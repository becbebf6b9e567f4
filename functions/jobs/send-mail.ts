import type { DynamoDBStreamEvent } from 'aws-lambda'
import { accountStore } from '#lib/accounts/account-store.dynamo'
import { linkPages } from '#lib/accounts/mailed-links/link-pages'
import { mailedLinks } from '#lib/accounts/mailed-links/mailed-links.dynamo'
import { sendRequestedMail } from '#lib/accounts/mailed-links/send-mail'
import { counterStore } from '#lib/accounts/throttle/counters.dynamo'
import { newImages } from '#lib/dynamo/stream'
import { hmacKeys } from '#lib/hmac-keys'
import { job } from '#lib/http/job'
import { clock } from '#lib/http/runtime'
import { mailer } from '#lib/mail/configured-mailer'

export const { spec, handler } = job({
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
  run: (event: DynamoDBStreamEvent, deps) =>
    sendRequestedMail(
      deps,
      newImages(event).map(({ item }) => item),
    ),
})
