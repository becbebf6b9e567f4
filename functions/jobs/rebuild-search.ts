import { directory } from '#lib/accounts/directory.dynamo'
import { progress } from '#lib/dynamo/progress.dynamo'
import { job } from '#lib/http/job'
import { clock, ids } from '#lib/http/runtime'
import { listingStore } from '#lib/listings/listing-store.dynamo'
import { rebuildSearch } from '#lib/listings/search/rebuild-search'
import { searchIndex } from '#lib/listings/search/search-index.dynamo'

export const { spec, handler } = job({
  name: 'rebuildSearch',
  summary: 'Rewrites the search entries of every published listing; run it again until it answers `isDone`',
  deps: { users: directory, listings: listingStore, index: searchIndex, progress, now: clock, newId: ids },
  run: (_event, deps) => rebuildSearch(deps),
})
