import { hmacKeys } from '#lib/hmac-keys'
import { endpoint } from '#lib/http/endpoint'
import { content } from '#lib/http/reply'
import { localeFor } from '#lib/kernel/locale'
import { notificationStore } from '#lib/notifications/notification-store.dynamo'
import { UnsubscribeQuery } from '#lib/notifications/unsubscribe'
import { unsubscribePage } from '#lib/notifications/unsubscribe-page'

export const { spec, handler } = endpoint({
  route: 'GET /unsubscribe',
  summary: 'The page that a mail links to for switching such mails off',
  description: 'Plain, and works without script. Opening it changes nothing; its button does.',
  access: 'public',
  input: { query: UnsubscribeQuery },
  output: { 200: content('text/html; charset=utf-8') },
  problems: ['invalid_token'],
  deps: { notifications: notificationStore, hmacKeys },
  run: ({ query, request }, deps) => unsubscribePage(deps, query.token, localeFor(request.acceptLanguage)),
})
