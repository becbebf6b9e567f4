import { hmacKeys } from '#lib/config/keys'
import { endpoint } from '#lib/http/endpoint'
import { content } from '#lib/http/reply'
import { notifications } from '#lib/notifications/notification-store.dynamo'
import { UnsubscribeQuery } from '#lib/notifications/unsubscribe'
import { unsubscribeByPage, unsubscribeRefused } from '#lib/notifications/unsubscribe-page'
import { brand } from '#lib/pages/brand'

export const { spec, handler } = endpoint({
  route: 'POST /unsubscribe',
  summary: 'Switch off mails of one kind by the button on the page of their link',
  description:
    'Switches off the mails of the token’s kind and answers a page that says so. A mail client uses `POST ' +
    '/notifications/unsubscribe`.',
  access: 'public',
  input: { query: UnsubscribeQuery },
  output: { 200: content('text/html; charset=utf-8') },
  problems: ['invalid_token'],
  deps: { notifications, hmacKeys, brand },
  refusalPage: unsubscribeRefused,
  run: ({ query, request }, deps) => unsubscribeByPage(deps, query.token, request),
})
