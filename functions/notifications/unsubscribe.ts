import { hmacKeys } from '#lib/config/keys'
import { endpoint } from '#lib/http/endpoint'
import { notifications } from '#lib/notifications/notification-store.dynamo'
import { UnsubscribeQuery, unsubscribe } from '#lib/notifications/unsubscribe'

export const { spec, handler } = endpoint({
  route: 'POST /notifications/unsubscribe',
  summary: 'Switch mails of one kind off, from a mail',
  description:
    'The one click of RFC 8058: the token of a mail switches the mails of its kind off for its reader. The body is ignored.',
  access: 'public',
  input: { query: UnsubscribeQuery },
  output: { 204: null },
  problems: ['invalid_token'],
  deps: { notifications, hmacKeys },
  run: ({ query }, deps) => unsubscribe(deps, query),
})
