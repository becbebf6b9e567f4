import * as z from 'zod'
import { MINUTE_MILLISECONDS } from '#lib/kernel/clock'
import { WriteConflict } from '#lib/kernel/write'
import type { ListingReader } from '../listing-store.ts'
import { applyLog, type ReadLog } from './apply-log.ts'
import { type RebuildDeps, rebuildCopy } from './rebuild-copy.ts'
import { LONG_OVERLAP_MILLISECONDS } from './replica.ts'
import { type Opened, openSnapshot, type Pointer, type Snapshots } from './snapshots.ts'

type StoreDeps = RebuildDeps & {
  snapshots: Omit<Snapshots, 'load' | 'isThere'>
  listings: ListingReader
  log: { since: ReadLog }
}

type SnapshotDeps = StoreDeps & {
  snapshots: Snapshots
  log: { countSince: (from: number, limit: number) => Promise<number> }
  /** The time for which the log holds a change. */
  logMilliseconds: number
}

/** A snapshot is replaced after five minutes if anything changed since, and at once after `CHANGES_MAX` changes. */
const DUE_AFTER_MILLISECONDS = 5 * MINUTE_MILLISECONDS
const CHANGES_MAX = 3_000

/** A snapshot without later changes is replaced while the log still reaches back to it. */
const RENEWED_AFTER_MILLISECONDS = 12 * 60 * MINUTE_MILLISECONDS

/** A removal is remembered longer than the log holds changes: no older change can bring the listing back. */
const REMOVED_KEPT_MILLISECONDS = 3 * 24 * 60 * MINUTE_MILLISECONDS

/** The result of a run: `isMade` is false if no snapshot was due, or another run stored one first. */
export type Made = { isMade: boolean; bytes: number }

const NOT_MADE: Made = { isMade: false, bytes: 0 }

/**
 * Makes the next snapshot, if one is due, from the previous one and the log of changes. If no snapshot can be read, or the
 * log does not reach back to it, the new one is made from the listings. Safe to repeat, and to run twice at once.
 */
export async function makeSnapshot(deps: SnapshotDeps): Promise<Made> {
  const { snapshots, machineTime, logMilliseconds } = deps
  const pointer = await snapshots.pointer()
  if (pointer && !(await isDue(deps, pointer))) return NOT_MADE
  const opened = pointer && (await openSnapshot(snapshots, pointer.snapshots))
  // `storeSnapshot` reads the log from `LONG_OVERLAP_MILLISECONDS` before the opened snapshot.
  const isReached = opened && machineTime() - opened.position < logMilliseconds - LONG_OVERLAP_MILLISECONDS
  return storeSnapshot(deps, pointer, isReached ? opened : await rebuildCopy(deps))
}

/** The event of a rebuild. A release asks for one only if its version of the schema has no snapshot yet. */
const Rebuild = z.object({ onlyIfMissing: z.literal(true) })

/** Makes the next snapshot from the listings. */
export async function rebuildSearch(deps: StoreDeps, event: unknown): Promise<Made> {
  const pointer = await deps.snapshots.pointer()
  if (pointer && Rebuild.safeParse(event).success) return NOT_MADE
  return storeSnapshot(deps, pointer, await rebuildCopy(deps))
}

async function isDue(deps: SnapshotDeps, { snapshots: [newest] }: Pointer): Promise<boolean> {
  const { log, machineTime, snapshots } = deps
  if (!newest || (newest.name !== null && !(await snapshots.isThere(newest.name)))) return true
  const age = machineTime() - newest.position
  if (age > RENEWED_AFTER_MILLISECONDS) return true
  const changes = await log.countSince(newest.position, CHANGES_MAX)
  return changes >= CHANGES_MAX || (changes > 0 && age >= DUE_AFTER_MILLISECONDS)
}

async function storeSnapshot(
  { snapshots, log, listings, machineTime }: StoreDeps,
  seen: Pointer | undefined,
  { copy, position: from }: Opened,
): Promise<Made> {
  const position = machineTime()
  // A change may enter the log late, with a time before the position of the last snapshot.
  const since = from - LONG_OVERLAP_MILLISECONDS
  await applyLog({ readLog: log.since, listings }, copy, { from: since, at: position })
  const packed = copy.pack(position - REMOVED_KEPT_MILLISECONDS)
  copy.close()
  const stored = await snapshots.store(packed)
  const [last, ...older] = seen?.snapshots ?? []
  try {
    const next = [{ ...stored, position }, ...(last ? [last] : [])]
    await snapshots.setPointer(seen, { revision: (seen?.revision ?? 0) + 1, snapshots: next })
  } catch (error) {
    if (stored.name !== null) await snapshots.remove(stored.name)
    if (error instanceof WriteConflict) return NOT_MADE
    throw error
  }
  // The pointer names the new snapshot and the previous one. An empty copy has no name, for it is not stored.
  for (const { name } of older) if (name !== null) await snapshots.remove(name)
  return { isMade: true, bytes: packed.byteLength }
}
