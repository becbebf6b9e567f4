import { user } from '#lib/accounts/access'
import { accountReader } from '#lib/accounts/account-reader.dynamo'
import { cursors } from '#lib/dynamo/cursor'
import { endpoint } from '#lib/http/endpoint'
import { clock } from '#lib/http/runtime'
import { kycRecords } from '#lib/kyc/kyc-records.dynamo'
import { listingStore } from '#lib/listings/listing-store.dynamo'
import { inbox } from '#lib/notifications/inbox.dynamo'
import { listNotices, NoticesPage, NoticesQuery } from '#lib/notifications/list-notices'

export const { spec, handler } = endpoint({
  route: 'GET /notifications',
  summary: "The caller's notifications, newest first",
  description:
    'Those of the last 90 days, in words of the language of the profile. `unread=true` leaves those after the read mark. ' +
    'Who has ended their account is "someone".',
  access: user,
  input: { query: NoticesQuery },
  output: { 200: NoticesPage },
  problems: ['invalid_cursor'],
  deps: { inbox, accounts: accountReader, listings: listingStore, records: kycRecords, cursors, now: clock },
  run: ({ actor, query }, deps) => listNotices(deps, actor.account, query),
})
