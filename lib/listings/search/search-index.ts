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

/** Where search entries stand. All of it is consistent: what was entered is found. */
export type SearchIndex = {
  /** One query; `isEnd` when nothing follows. */
  read: (question: ListQuestion) => Promise<{ found: ListedEntry[]; isEnd: boolean }>
  /** Puts an entry into all its lists. Safe to repeat; broken off, it is known and taken away later. */
  enter: (entry: SearchEntry) => Promise<void>
  /** Every entry of a listing that is, or may half be, in lists. */
  entered: (id: ListingId) => Promise<SearchEntry[]>
  /** Takes an entry out of all its lists. Safe to repeat. */
  remove: (entry: SearchEntry) => Promise<void>
}
