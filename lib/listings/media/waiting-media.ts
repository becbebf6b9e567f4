import type { Timestamp } from '#lib/kernel/clock'
import type { Write } from '#lib/kernel/write'
import type { OriginalName } from '#lib/media/store/media-links'

/** A media item in PROCESSING, since when. */
export type WaitingEntry = OriginalName & { since: Timestamp }

/** What is in PROCESSING: an entry is written with the item and removed with its outcome, in one transaction. */
export type WaitingMedia = {
  enter: (entry: WaitingEntry) => Write
  leave: (entry: WaitingEntry) => Write
  /** What has waited since a day, up to a moment of it. */
  since: (day: Date, until: Timestamp) => Promise<WaitingEntry[]>
}
