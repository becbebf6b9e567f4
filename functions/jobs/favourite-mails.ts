import { job } from '#lib/http/job'
import { clock, ids } from '#lib/http/runtime'
import { mailRequests } from '#lib/mail/mail-requests.dynamo'
import { sendDigests } from '#lib/notifications/digest'
import { notificationStore } from '#lib/notifications/notification-store.dynamo'

export const { spec, handler } = job({
  name: 'favouriteMails',
  summary: 'Mails people the changes of their favourites of a day, at 07:00 UTC',
  deps: {
    notifications: notificationStore.only('digests', 'takeDigest', 'commit'),
    mails: mailRequests,
    now: clock,
    machineNow: clock,
    newId: ids,
  },
  acceptsTime: true,
  // An event may set `now`, the time at which digests are due. The mails carry the time of `machineNow`.
  run: (_event, { now, machineNow, ...deps }) => sendDigests({ ...deps, now: machineNow }, now()),
})
