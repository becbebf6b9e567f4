import type { Timestamp } from '#lib/kernel/clock'
import type { Write } from '#lib/kernel/write'
import type { MediaName } from '#lib/media/store/media-links'

/** A media item in PROCESSING, and the time at which it was made. */
export type WaitingEntry = MediaName & { since: Timestamp }

/**
 * The media in PROCESSING. An entry is written with the item and removed with its outcome, each in one transaction. Whoever
 * processes an item claims its entry first.
 */
export type WaitingMedia = {
  enter: (entry: WaitingEntry) => Write
  leave: (entry: WaitingEntry) => Write
  /** Claims an entry until a time in seconds; `WriteConflict` if it is gone, or claimed at `now`. */
  claim: (entry: WaitingEntry, untilSeconds: number, now: Date) => Write
  /** Ends a claim before its time; `WriteConflict` if the entry is gone, or has another claim. */
  release: (entry: WaitingEntry, untilSeconds: number) => Write
  /** The entries of one UTC day, up to a moment. */
  ofDay: (day: Date, until: Timestamp) => Promise<WaitingEntry[]>
}
