import { openAccounts } from '#lib/accounts/account-store.dynamo'
import { marshalled } from '#lib/dynamo/item'
import type { Listing } from '#lib/listings/listing'
import { openListings } from '#lib/listings/listing-store.dynamo'
import { placesOf } from '#lib/listings/search/lists'
import { searchWritingKey } from '#lib/listings/search/search.keys'
import { entryOf } from '#lib/listings/search/search-entry'
import { puts, unsent } from './loaded-table.ts'
import type { Marketplace } from './marketplace.ts'

type Item = ReturnType<typeof marshalled>

/** Every item of a marketplace, those of one agent or listing together. */
export function* itemsOf({ agents, listings }: Marketplace): Generator<Item[]> {
  const [accounts, store] = [openAccounts(unsent), openListings(unsent)]
  for (const agent of agents) yield puts(accounts.insert(agent).slice(0, 1))
  for (const listing of listings()) yield [...puts([store.insert(listing)]), ...entriesOf(listing)]
}

/** What `SearchIndex.enter` puts into the table. */
function entriesOf(listing: Listing): Item[] {
  const entry = entryOf(listing)
  if (!entry) return []
  const writing = { ...searchWritingKey(entry.listingId, entry.by), kind: 'search-writing', ...entry }
  const values = marshalled({ kind: 'search-entry', ...entry })
  return [marshalled(writing), ...placesOf(entry).map((key) => ({ ...marshalled(key), ...values }))]
}
