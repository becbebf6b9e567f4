import { PAGE_SIZE } from '#lib/kernel/page'
import type { ListingReader } from '../listing-store.ts'
import type { SearchCopy } from './copy.ts'
import { SearchChange, wholeChangeOf } from './search-row.ts'

/** Reads the log of changes since a moment, in milliseconds since 1970. */
export type ReadLog = (from: number) => Promise<unknown[]>

/**
 * Applies the log of changes since a moment to a copy, and reads the listings whose texts neither the log nor the copy has.
 * Removals keep `at`. Both times are milliseconds since 1970.
 */
export async function applyLog(
  { readLog, listings }: { readLog: ReadLog; listings: ListingReader },
  copy: SearchCopy,
  { from, at }: { from: number; at: number },
): Promise<void> {
  const lacking = copy.apply(SearchChange.array().parse(await readLog(from)), at)
  // A page at a time: the listings of a long log are more than a function's memory should hold.
  for (let start = 0; start < lacking.length; start += PAGE_SIZE) {
    const read = await listings.getMany(lacking.slice(start, start + PAGE_SIZE))
    copy.apply(read.map(wholeChangeOf), at)
  }
}
