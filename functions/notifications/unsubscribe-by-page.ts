import { hmacKeys } from '#lib/hmac-keys'
import { endpoint } from '#lib/http/endpoint'
import { content } from '#lib/http/reply'
import { localeFor } from '#lib/kernel/locale'
import { notificationStore } from '#lib/notifications/notification-store.dynamo'
import { UnsubscribeQuery } from '#lib/notifications/unsubscribe'
import { unsubscribeByPage } from '#lib/notifications/unsubscribe-page'

export const { spec, handler } = endpoint({
  route: 'POST /unsubscribe',
  summary: 'Switch mails off by the button of their page',
  description:
    'Switches such mails off and answers a page that says so. A mail client uses `POST /notifications/unsubscribe`.',
  access: 'public',
  input: { query: UnsubscribeQuery },
  output: { 200: content('text/html; charset=utf-8') },
  problems: ['invalid_token'],
  deps: { notifications: notificationStore, hmacKeys },
  run: ({ query, request }, deps) => unsubscribeByPage(deps, query.token, localeFor(request.acceptLanguage)),
})
