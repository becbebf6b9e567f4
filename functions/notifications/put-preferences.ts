import { user } from '#lib/accounts/access'
import { accountReader } from '#lib/accounts/account-reader.dynamo'
import { endpoint } from '#lib/http/endpoint'
import { notifications } from '#lib/notifications/notification-store.dynamo'
import { Preferences, PreferencesChange, putPreferences } from '#lib/notifications/preferences'

export const { spec, handler } = endpoint({
  route: 'PUT /notifications/preferences',
  summary: 'Say what is mailed to the caller',
  description:
    'A preference that is omitted stays as it is. Mail about identity and the security of the account is always sent. ' +
    'Notifications are stored even if they are not mailed.',
  access: user,
  input: { body: PreferencesChange },
  output: { 200: Preferences },
  deps: { accounts: accountReader, notifications },
  run: ({ actor, body }, deps) => putPreferences(deps, actor.account, body),
})
