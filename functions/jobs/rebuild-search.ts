import { userLists } from '#lib/accounts/user-lists.dynamo'
import { changeLog } from '#lib/dynamo/change-log'
import { job } from '#lib/http/job'
import { listingReader } from '#lib/listings/listing-reader.dynamo'
import { rebuildSearch } from '#lib/listings/search/make-snapshot'
import { machineClock } from '#lib/listings/search/replica.dynamo'
import { snapshotWriter } from '#lib/listings/search/snapshots.dynamo'

export const { spec, handler } = job({
  name: 'rebuildSearch',
  summary: 'Makes the next snapshot of the search from the listings alone, not from the previous snapshot',
  deps: {
    users: userLists,
    listings: listingReader,
    snapshots: snapshotWriter,
    log: changeLog,
    // Not `clock`, which may show another time: the log is written by the machine's clock.
    machineTime: machineClock,
  },
  run: (event: unknown, deps) => rebuildSearch(deps, event),
})
