import { user } from '#lib/accounts/access'
import { accountReader } from '#lib/accounts/account-reader.dynamo'
import { cursors } from '#lib/dynamo/cursor'
import { endpoint } from '#lib/http/endpoint'
import { clock } from '#lib/http/runtime'
import { kycReader } from '#lib/kyc/kyc-store.dynamo'
import { listingReader } from '#lib/listings/listing-reader.dynamo'
import {
  listNotifications,
  NotificationsPage,
  NotificationsQuery,
} from '#lib/notifications/list-notifications'
import { notificationReader } from '#lib/notifications/notification-store.dynamo'
import { savedSearchReader } from '#lib/saved-searches/saved-search-store.dynamo'

export const { spec, handler } = endpoint({
  route: 'GET /notifications',
  summary: "The caller's notifications, newest first",
  description:
    'Those of the last 90 days, in the language of the profile. `unread=true` lists only those after the read mark. ' +
    'A person who has ended their account is called "someone".',
  access: user,
  input: { query: NotificationsQuery },
  output: { 200: NotificationsPage },
  problems: ['invalid_cursor'],
  deps: {
    notifications: notificationReader,
    accounts: accountReader,
    listings: listingReader,
    searches: savedSearchReader,
    kycStore: kycReader,
    cursors,
    now: clock,
  },
  run: ({ actor, query }, deps) => listNotifications(deps, actor.account, query),
})
