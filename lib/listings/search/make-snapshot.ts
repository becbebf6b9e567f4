import { WriteConflict } from '#lib/kernel/write'
import { type RebuildDeps, rebuildCopy } from './rebuild-copy.ts'
import { LONG_OVERLAP_MILLISECONDS } from './replica.ts'
import { SearchChange } from './search-row.ts'
import { type Opened, openSnapshot, type Pointer, type Snapshots } from './snapshots.ts'

type StoreDeps = RebuildDeps & {
  snapshots: Omit<Snapshots, 'load' | 'isThere'>
  log: { since: (from: number) => Promise<unknown[]> }
}

export type SnapshotDeps = StoreDeps & {
  snapshots: Snapshots
  log: { countSince: (from: number, limit: number) => Promise<number> }
  /** The time for which the log holds a change. */
  logMilliseconds: number
}

const MINUTE_MILLISECONDS = 60_000

/** A snapshot with changes since is replaced after five minutes, and at once when a copy would take long to catch up. */
const DUE_AFTER_MILLISECONDS = 5 * MINUTE_MILLISECONDS
const CHANGES_MAX = 3_000

/** A snapshot without changes since is replaced before the log no longer reaches back to it. */
const RENEWED_AFTER_MILLISECONDS = 12 * 60 * MINUTE_MILLISECONDS

/** Rows of older changes are in no log any more, so that their removal need not be remembered. */
const REMOVED_KEPT_MILLISECONDS = 3 * 24 * 60 * MINUTE_MILLISECONDS

/** The result of a run: `isMade` is false where no snapshot was due, or where another maker was first. */
export type Made = { isMade: boolean; bytes: number }

const NOT_MADE: Made = { isMade: false, bytes: 0 }

/**
 * Makes the next snapshot from the last one and the log where one is due. Without a readable snapshot that the log
 * reaches back to, the new one is made of the listings. Safe to repeat, and to run twice at once.
 */
export async function makeSnapshot(deps: SnapshotDeps): Promise<Made> {
  const { snapshots, machineTime, logMilliseconds } = deps
  const pointer = await snapshots.pointer()
  if (pointer && !(await isDue(deps, pointer))) return NOT_MADE
  const opened = pointer && (await openSnapshot(snapshots, pointer.snapshots))
  const isReached = opened && machineTime() - opened.position < logMilliseconds - LONG_OVERLAP_MILLISECONDS
  return storeSnapshot(deps, pointer, isReached ? opened : await rebuildCopy(deps))
}

/** Makes the next snapshot of the listings themselves. */
export const rebuildSearch = async (deps: StoreDeps): Promise<Made> =>
  storeSnapshot(deps, await deps.snapshots.pointer(), await rebuildCopy(deps))

async function isDue(deps: SnapshotDeps, { snapshots: [newest] }: Pointer): Promise<boolean> {
  const { log, machineTime, snapshots } = deps
  const { name = null, position = 0 } = newest ?? {}
  if (name !== null && !(await snapshots.isThere(name))) return true
  const age = machineTime() - position
  if (age > RENEWED_AFTER_MILLISECONDS) return true
  const changes = await log.countSince(position, CHANGES_MAX)
  return changes >= CHANGES_MAX || (changes > 0 && age >= DUE_AFTER_MILLISECONDS)
}

async function storeSnapshot(
  { snapshots, log, machineTime }: Pick<StoreDeps, 'snapshots' | 'log' | 'machineTime'>,
  seen: Pointer | undefined,
  { copy, position: from }: Opened,
): Promise<Made> {
  const position = machineTime()
  const changes = SearchChange.array().parse(await log.since(from - LONG_OVERLAP_MILLISECONDS))
  copy.apply(changes, position)
  const packed = copy.pack(position - REMOVED_KEPT_MILLISECONDS)
  copy.close()
  const stored = await snapshots.store(packed)
  const [last, ...older] = seen?.snapshots ?? []
  try {
    const next = [{ ...stored, position }, ...(last ? [last] : [])]
    await snapshots.point(seen, { revision: (seen?.revision ?? 0) + 1, snapshots: next })
  } catch (error) {
    if (stored.name !== null) await snapshots.remove(stored.name)
    if (error instanceof WriteConflict) return NOT_MADE
    throw error
  }
  for (const { name } of older) if (name !== null) await snapshots.remove(name)
  return { isMade: true, bytes: packed.byteLength }
}
