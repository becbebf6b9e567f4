import { user } from '#lib/accounts/access'
import { endpoint } from '#lib/http/endpoint'
import { clock } from '#lib/http/runtime'
import { markRead, ReadUpTo } from '#lib/notifications/mark-read'
import { notifications } from '#lib/notifications/notification-store.dynamo'

export const { spec, handler } = endpoint({
  route: 'POST /notifications/read',
  summary: 'Mark notifications as read',
  description:
    'Marks the given notification and all older ones as read. A notification that is read already changes nothing.',
  access: user,
  input: { body: ReadUpTo },
  output: { 204: null },
  problems: ['not_found'],
  deps: { notifications, now: clock },
  run: ({ actor, body }, deps) => markRead(deps, actor.account, body),
})
