import { job } from '#lib/http/job'
import { clock, ids } from '#lib/http/runtime'
import { mailRequests } from '#lib/mail/mail-requests.dynamo'
import { sendDigests } from '#lib/notifications/digest'
import { notifications } from '#lib/notifications/notification-store.dynamo'

export const { spec, handler } = job({
  name: 'favouriteMails',
  summary: 'Mails people the changes of their favourites of a day, at 07:00 UTC',
  deps: { notifications, mails: mailRequests, now: clock, machineNow: clock, newId: ids },
  acceptsTime: true,
  // An event's time replaces the clock `now`, by which digests are due. `machineNow` stays the real time, which mails carry.
  run: (_event, { now, machineNow, ...deps }) => sendDigests({ ...deps, now: machineNow }, now()),
})
