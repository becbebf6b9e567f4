import { user } from '#lib/accounts/access'
import { endpoint } from '#lib/http/endpoint'
import { notificationReader } from '#lib/notifications/notification-store.dynamo'
import { getPreferences, Preferences } from '#lib/notifications/preferences'

export const { spec, handler } = endpoint({
  route: 'GET /notifications/preferences',
  summary: 'What is mailed to the caller',
  description:
    'All are true until the caller changes them. Mail about the security of the account is always sent. `GET ' +
    '/notifications` lists notifications that are not mailed, too.',
  access: user,
  output: { 200: Preferences },
  deps: { notifications: notificationReader },
  run: ({ actor }, deps) => getPreferences(deps, actor.userId),
})
