import * as z from 'zod'
import { dependency } from '#lib/config'
import { type Item, openTable } from '#lib/dynamo/table'
import { Timestamp, timestamp } from '#lib/kernel/clock'
import { ListingId, MediaId } from '#lib/kernel/id'
import { waitingMediaKey, waitingMediaPartition } from './waiting-media.keys.ts'
import type { WaitingEntry, WaitingMedia } from './waiting-media.ts'

const Entry = z.object({ listingId: ListingId, mediaId: MediaId, since: Timestamp })

/** The entries in the one table, a partition for each day. */
export const waitingMedia = dependency(['TABLE_NAME'], ({ TABLE_NAME }): WaitingMedia => {
  const table = openTable(TABLE_NAME)
  return {
    enter: ({ listingId, mediaId, since }) => ({
      put: {
        ...waitingMediaKey({ listingId, mediaId }, since),
        kind: 'waiting-media',
        listingId,
        mediaId,
        since,
      },
    }),
    leave: (entry) => ({ remove: waitingMediaKey(entry, entry.since) }),
    since: async (day, until) => {
      const entries: WaitingEntry[] = []
      let after: Item | undefined
      do {
        const page = await table.query({
          partition: waitingMediaPartition(timestamp(day)),
          consistent: true,
          ...(after && { after }),
        })
        entries.push(...page.items.map((item) => Entry.parse(item)))
        after = page.last
      } while (after)
      return entries.filter(({ since }) => since <= until)
    },
  }
})
