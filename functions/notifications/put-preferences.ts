import { user } from '#lib/accounts/access'
import { endpoint } from '#lib/http/endpoint'
import { inbox } from '#lib/notifications/inbox.dynamo'
import { Preferences, putPreferences } from '#lib/notifications/preferences'

export const { spec, handler } = endpoint({
  route: 'PUT /notifications/preferences',
  summary: 'Say what is mailed to the caller',
  description:
    'All three are given. Mail about identity and the security of the account is always sent, and notifications are ' +
    'stored whatever is mailed.',
  access: user,
  input: { body: Preferences },
  output: { 200: Preferences },
  deps: { inbox },
  run: ({ actor, body }, deps) => putPreferences(deps, actor.userId, body),
})
