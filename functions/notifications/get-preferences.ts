import { user } from '#lib/accounts/access'
import { endpoint } from '#lib/http/endpoint'
import { notificationStore } from '#lib/notifications/notification-store.dynamo'
import { getPreferences, Preferences } from '#lib/notifications/preferences'

export const { spec, handler } = endpoint({
  route: 'GET /notifications/preferences',
  summary: 'What is mailed to the caller',
  description:
    'All are true until the caller changes them. What concerns the account’s safety is mailed whatever they say; ' +
    'what is not mailed still stands in `GET /notifications`.',
  access: user,
  output: { 200: Preferences },
  deps: { notifications: notificationStore.only('state') },
  run: ({ actor }, deps) => getPreferences(deps, actor.userId),
})
