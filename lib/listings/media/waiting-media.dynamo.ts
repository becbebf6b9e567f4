import * as z from 'zod'
import { onTable, type Table } from '#lib/dynamo/table'
import { Timestamp, timestamp, unixSeconds } from '#lib/kernel/clock'
import { ListingId, MediaId } from '#lib/kernel/id'
import { waitingMediaKey, waitingMediaPartition } from './waiting-media.keys.ts'
import type { WaitingMedia } from './waiting-media.ts'

const Entry = z.object({ listingId: ListingId, mediaId: MediaId, since: Timestamp })

/** Opens the entries of media in PROCESSING in the one table, a partition for each day. */
export const openWaitingMedia = (table: Table): WaitingMedia => ({
  enter: ({ listingId, mediaId, since }) =>
    table.put({
      ...waitingMediaKey({ listingId, mediaId }, since),
      kind: 'waiting-media',
      listingId,
      mediaId,
      since,
      claimedUntilSeconds: 0,
    }),
  leave: (entry) => table.remove(waitingMediaKey(entry, entry.since)),
  claim: (entry, untilSeconds, now) =>
    table.update(waitingMediaKey(entry, entry.since), {
      set: { claimedUntilSeconds: untilSeconds },
      when: { below: { attribute: 'claimedUntilSeconds', value: unixSeconds(now) + 1 } },
    }),
  release: (entry, untilSeconds) =>
    table.update(waitingMediaKey(entry, entry.since), {
      set: { claimedUntilSeconds: 0 },
      when: { equals: { claimedUntilSeconds: untilSeconds } },
    }),
  ofDay: async (day, until) => {
    const partition = waitingMediaPartition(timestamp(day))
    const items = await table.queryAll({ partition, consistent: true })
    return items.map((item) => Entry.parse(item)).filter(({ since }) => since <= until)
  },
})

/** The entries as a dependency. */
export const waiting = onTable(openWaitingMedia, { reads: ['MEDIA-WAITING'], writes: ['MEDIA-WAITING'] })
