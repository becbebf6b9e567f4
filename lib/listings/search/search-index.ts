import type { ListingId } from '#lib/kernel/id'
import type { SearchEntry } from './search-entry.ts'

/** One read of a list: at most `limit` entries of a partition, in order. */
export type ListQuestion = {
  partition: string
  /** The orders to read between, both included. */
  between?: readonly [string, string]
  descending: boolean
  limit: number
  /** Goes on after this order. */
  after?: string | undefined
}

/** An entry with its place in the list; orders compare as text. */
export type ListedEntry = { order: string; entry: SearchEntry }

/** The lists of search entries. Every read is consistent: an entry is found once it is written. */
export type SearchIndex = {
  /** One query; `isEnd` when nothing follows. */
  read: (question: ListQuestion) => Promise<{ found: ListedEntry[]; isEnd: boolean }>
  /**
   * Puts an entry into all its lists. Safe to repeat. An entry that was only put into some of them is still found and
   * removed later.
   */
  enter: (entry: SearchEntry) => Promise<void>
  /** Every entry of a listing that is in all lists or in some. */
  entered: (id: ListingId) => Promise<SearchEntry[]>
  /** Takes an entry out of all its lists. Safe to repeat. */
  remove: (entry: SearchEntry) => Promise<void>
}
