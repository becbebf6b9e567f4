import { MINUTE_MILLISECONDS } from '#lib/kernel/clock'
import { DomainError } from '#lib/kernel/domain-error'
import { within } from '#lib/kernel/within'
import type { ListingReader } from '../listing-store.ts'
import { applyLog, type ReadLog } from './apply-log.ts'
import type { SearchCopy } from './copy.ts'
import { type Opened, openSnapshot, type Snapshots } from './snapshots.ts'

/** A copy of all public listings in a function's memory, which follows their changes. */
export type Replica = {
  /** Returns the copy with every change made before the call. Throws `unavailable` if that takes over two seconds. */
  upToDate: () => Promise<SearchCopy>
}

export type ReplicaDeps = {
  snapshots: Pick<Snapshots, 'pointer' | 'load'>
  readLog: ReadLog
  listings: ListingReader
  /** The machine's clock, by which the log is written, in milliseconds since 1970. */
  machineTime: () => number
  /** The time for which the log holds a change. */
  logMilliseconds: number
}

const CATCH_UP_MILLISECONDS = 2_000

/**
 * A change has the time of its writer's clock before its commit. It may become readable later than that, by the
 * difference of two clocks and the length of a commit. So each read goes back five seconds, and one read a minute
 * goes back two minutes.
 */
const OVERLAP_MILLISECONDS = 5_000
export const LONG_OVERLAP_MILLISECONDS = 120_000
const LONG_OVERLAP_EVERY_MILLISECONDS = MINUTE_MILLISECONDS

/** After this time without a search, loading a newer snapshot is likely faster than reading the log. */
const RELOAD_AFTER_MILLISECONDS = 30 * MINUTE_MILLISECONDS

/** The copy, the time up to which it holds the log (`position`), and that of the last read with the long overlap. */
type Held = Opened & { lookedBackAt: number }

/** Opens a replica, which loads the newest snapshot at its first use. */
export function openReplica(deps: ReplicaDeps): Replica {
  let held: Held | undefined
  /** The catch-up that reads now, or read last. */
  let latest: Promise<unknown> = Promise.resolve()
  /** The catch-up that callers wait for and that has not begun to read. */
  let upcoming: Promise<SearchCopy> | undefined
  const catchUp = async () => {
    held = await catchUpFrom(deps, held)
    return held.copy
  }
  /** A catch-up that began before the call may have missed a change: callers share the next one. */
  const catchUpNext = async () => {
    await latest.catch(() => undefined)
    // The reading begins now: later callers share the one after it.
    upcoming = undefined
    const started = catchUp()
    latest = started
    return started
  }
  return {
    upToDate: async () => {
      upcoming ??= catchUpNext()
      const copy = await within(CATCH_UP_MILLISECONDS, upcoming)
      if (!copy) throw new DomainError('unavailable', { cause: 'The search copy is behind' })
      return copy
    },
  }
}

async function catchUpFrom(deps: ReplicaDeps, held: Held | undefined): Promise<Held> {
  const startedAt = deps.machineTime()
  const isIdle = held !== undefined && startedAt - held.position > RELOAD_AFTER_MILLISECONDS
  const { copy, position, lookedBackAt } = held && !isIdle ? held : await reloaded(deps, held)
  if (startedAt - position > deps.logMilliseconds - LONG_OVERLAP_MILLISECONDS) {
    throw new DomainError('unavailable', { cause: 'The search copy is older than the log of changes' })
  }
  const looksBack = startedAt - lookedBackAt > LONG_OVERLAP_EVERY_MILLISECONDS
  const overlap = looksBack ? LONG_OVERLAP_MILLISECONDS : OVERLAP_MILLISECONDS
  await applyLog(deps, copy, { from: position - overlap, at: startedAt })
  return { copy, position: startedAt, lookedBackAt: looksBack ? startedAt : lookedBackAt }
}

/** Opens the newest snapshot, unless the held copy is as new. The next read has the long overlap. */
async function reloaded({ snapshots }: ReplicaDeps, held: Held | undefined): Promise<Held> {
  const pointer = await snapshots.pointer()
  // The snapshots of a pointer begin with the newest.
  const isNewer = (pointer?.snapshots[0]?.position ?? 0) > (held?.position ?? 0)
  const opened = isNewer && pointer ? await openSnapshot(snapshots, pointer.snapshots) : undefined
  if (opened) return { ...opened, lookedBackAt: 0 }
  if (held) return { ...held, lookedBackAt: 0 }
  throw new DomainError('unavailable', { cause: 'There is no snapshot of the search that can be read' })
}
