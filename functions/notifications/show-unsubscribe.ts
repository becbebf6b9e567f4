import { hmacKeys } from '#lib/config/keys'
import { endpoint } from '#lib/http/endpoint'
import { content } from '#lib/http/reply'
import { UnsubscribeQuery } from '#lib/notifications/unsubscribe'
import { unsubscribePage, unsubscribeRefused } from '#lib/notifications/unsubscribe-page'
import { brand } from '#lib/pages/brand'

export const { spec, handler } = endpoint({
  route: 'GET /unsubscribe',
  summary: 'The page that a mail links to for switching such mails off',
  description: 'Works without script. Opening it changes nothing; its button does.',
  access: 'public',
  input: { query: UnsubscribeQuery },
  output: { 200: content('text/html; charset=utf-8') },
  problems: ['invalid_token'],
  deps: { hmacKeys, brand },
  refusalPage: unsubscribeRefused,
  run: ({ query, request }, deps) => unsubscribePage(deps, query.token, request),
})
