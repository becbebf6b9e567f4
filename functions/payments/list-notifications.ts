import { administrator } from '#lib/accounts/access'
import { cursors } from '#lib/dynamo/cursor'
import { endpoint } from '#lib/http/endpoint'
import { pageOf } from '#lib/kernel/page'
import { inbox } from '#lib/payments/callbacks/inbox.dynamo'
import { listNotifications, NotificationsQuery } from '#lib/payments/callbacks/list-notifications'
import { NotificationView } from '#lib/payments/callbacks/notification-view'

export const { spec, handler } = endpoint({
  route: 'GET /admin/payments/notifications',
  summary: 'What payment providers have told',
  description:
    'Newest first, kept for ninety days. Without a filter those that need someone: UNMATCHED, MISMATCHED, CONFLICT ' +
    'and FAILED.',
  access: administrator,
  input: { query: NotificationsQuery },
  output: { 200: pageOf(NotificationView) },
  problems: ['invalid_cursor'],
  deps: { inbox, cursors },
  run: ({ query }, deps) => listNotifications(deps, query),
})
