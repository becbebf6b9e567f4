import type { Timestamp } from '#lib/kernel/clock'
import type { Key } from '#lib/kernel/write'
import type { MediaName } from '#lib/media/store/media-links'

/** A media item in PROCESSING, in the partition of the day on which it was requested. */
export const waitingMediaKey = ({ listingId, mediaId }: MediaName, since: Timestamp): Key => ({
  pk: waitingMediaPartition(since),
  sk: `${since}#${listingId}#${mediaId}`,
})

/** All media items in PROCESSING that were requested on the day of a moment. */
export const waitingMediaPartition = (moment: Timestamp): string => `MEDIA-WAITING#${moment.slice(0, 10)}`
