import { userLists } from '#lib/accounts/user-lists.dynamo'
import { changeLog } from '#lib/dynamo/change-log'
import { job } from '#lib/http/job'
import { listingReader } from '#lib/listings/listing-reader.dynamo'
import { makeSnapshot } from '#lib/listings/search/make-snapshot'
import { logLife, machineClock } from '#lib/listings/search/replica.dynamo'
import { snapshotStore } from '#lib/listings/search/snapshots.dynamo'

export const { spec, handler } = job({
  name: 'snapshotSearch',
  summary:
    'Makes the next snapshot of the search, once it is due, from the previous one and the log of changes, or else from the listings',
  deps: {
    users: userLists,
    listings: listingReader,
    snapshots: snapshotStore,
    log: changeLog,
    logMilliseconds: logLife,
    // Not `clock`, which may show another time: the log is written by the machine's clock.
    machineTime: machineClock,
  },
  run: (_event, deps) => makeSnapshot(deps),
})
