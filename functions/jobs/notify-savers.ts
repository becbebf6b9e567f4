import { readNewItem } from '#lib/dynamo/stream'
import { notifySavers } from '#lib/favourites/notify-savers'
import { SaversPiece } from '#lib/favourites/saver-store'
import { savers } from '#lib/favourites/saver-store.dynamo'
import { consumer } from '#lib/http/consumer'
import { clock, ids } from '#lib/http/runtime'
import { mailRequests } from '#lib/mail/mail-requests.dynamo'
import { notifications } from '#lib/notifications/notification-store.dynamo'

export const { spec, handler } = consumer({
  name: 'notifySavers',
  summary: 'Notifies the savers of a listing that became cheaper or left the public, a hundred at a time',
  deps: { savers, notifications, mails: mailRequests, now: clock, newId: ids },
  read: readNewItem,
  run: (item, deps) => notifySavers(deps, SaversPiece.parse(item)),
})
