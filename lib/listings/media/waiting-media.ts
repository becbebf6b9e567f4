import type { Timestamp } from '#lib/kernel/clock'
import type { Write } from '#lib/kernel/write'
import type { OriginalName } from '#lib/media/store/media-links'

/** A media item in PROCESSING, and the time at which it was made. */
export type WaitingEntry = OriginalName & { since: Timestamp }

/**
 * The media in PROCESSING. An entry is written with the item and removed with its outcome, each in one transaction.
 */
export type WaitingMedia = {
  enter: (entry: WaitingEntry) => Write
  leave: (entry: WaitingEntry) => Write
  /** The entries of one UTC day, up to a moment. */
  ofDay: (day: Date, until: Timestamp) => Promise<WaitingEntry[]>
}
