import * as z from 'zod'
import { storeOnTable, type Table } from '#lib/dynamo/table'
import { Timestamp, timestamp, unixSeconds } from '#lib/kernel/clock'
import { ListingId, MediaId } from '#lib/kernel/id'
import { waitingMediaKey, waitingMediaPartition } from './waiting-media.keys.ts'
import type { WaitingMedia } from './waiting-media.ts'

const Entry = z.object({ listingId: ListingId, mediaId: MediaId, since: Timestamp })

/** Opens the entries of media in PROCESSING in the one table, a partition for each day. */
export const openWaitingMedia = (table: Table): WaitingMedia => ({
  enter: ({ listingId, mediaId, since }) => ({
    put: {
      ...waitingMediaKey({ listingId, mediaId }, since),
      kind: 'waiting-media',
      listingId,
      mediaId,
      since,
      claimedUntilSeconds: 0,
    },
  }),
  leave: (entry) => ({ remove: waitingMediaKey(entry, entry.since) }),
  claim: (entry, untilSeconds, now) => ({
    update: waitingMediaKey(entry, entry.since),
    set: { claimedUntilSeconds: untilSeconds },
    when: { below: { attribute: 'claimedUntilSeconds', value: unixSeconds(now) + 1 } },
  }),
  release: (entry, untilSeconds) => ({
    update: waitingMediaKey(entry, entry.since),
    set: { claimedUntilSeconds: 0 },
    when: { equals: { claimedUntilSeconds: untilSeconds } },
  }),
  ofDay: async (day, until) => {
    const partition = waitingMediaPartition(timestamp(day))
    const items = await table.queryAll({ partition, consistent: true })
    return items.map((item) => Entry.parse(item)).filter(({ since }) => since <= until)
  },
})

/** The entries as a dependency, with what each method does in which partition. */
export const waitingMedia = storeOnTable(openWaitingMedia, {
  enter: { 'MEDIA-WAITING': ['put'] },
  leave: { 'MEDIA-WAITING': ['remove'] },
  claim: { 'MEDIA-WAITING': ['update'] },
  release: { 'MEDIA-WAITING': ['update'] },
  ofDay: { 'MEDIA-WAITING': ['query'] },
})
