import { type Config, type Dependency, dependency } from '#lib/config/config'
import { LOG_KEPT_MILLISECONDS, openChangeLog } from '#lib/dynamo/change-log'
import { heldTo, openTable, usesOf } from '#lib/dynamo/table'
import type { ObjectUses } from '#lib/objects/buckets'
import { openListingReader } from '../listing-reader.dynamo.ts'
import { openReplica, type Replica } from './replica.ts'
import { snapshotStore } from './snapshots.dynamo.ts'

/** The machine's clock, by which the log is written, even if `now` shows another time. */
export const machineClock = dependency([], () => Date.now)

/** The time for which the log holds a change, in milliseconds. */
export const logLife = dependency([], () => LOG_KEPT_MILLISECONDS)

/** The replica of each table. Several functions in one process share it. */
const replicas = new Map<string, Replica>()

const PLACES = { reads: ['LISTING', 'SEARCH-LOG', 'SEARCH-SNAPSHOTS'] }

const open = ({ TABLE_NAME }: Config<'TABLE_NAME'>): Replica => {
  const table = heldTo(openTable(TABLE_NAME), PLACES)
  const replica =
    replicas.get(TABLE_NAME) ??
    openReplica({
      snapshots: snapshotStore.make(),
      readLog: openChangeLog(table).since,
      listings: openListingReader(table),
      machineTime: Date.now,
      logMilliseconds: LOG_KEPT_MILLISECONDS,
    })
  replicas.set(TABLE_NAME, replica)
  return replica
}

/** The replica of the public listings as a dependency. */
export const searchReplica: Dependency<Replica> = {
  ...dependency(['TABLE_NAME', 'MEDIA_BUCKET'], open),
  uses: { ...usesOf(PLACES), 'search/': ['get'] } satisfies ObjectUses,
}
