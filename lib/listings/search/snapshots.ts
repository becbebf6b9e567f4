import * as z from 'zod'
import { openCopy, type SearchCopy } from './copy.ts'

/**
 * A packed copy of the searchable listings in S3. It holds the log of changes up to `position`, in milliseconds since 1970.
 * Without a name it is the empty copy, whose `sha256` is empty too.
 */
const Snapshot = z.object({ name: z.string().nullable(), sha256: z.string(), position: z.int() })
type Snapshot = z.infer<typeof Snapshot>

/** The item that names the newest snapshot and the one before it. Its revision rises with each snapshot. */
export const Pointer = z.object({ revision: z.int(), snapshots: z.array(Snapshot).min(1).max(2) })
export type Pointer = z.infer<typeof Pointer>

/** The store of snapshots. Each version of the search's schema has its own: these are the running code's. */
export type Snapshots = {
  pointer: () => Promise<Pointer | undefined>
  /** Replaces the pointer that was seen. `WriteConflict` when another was set since. */
  setPointer: (seen: Pointer | undefined, next: Pointer) => Promise<void>
  /** Reads a packed copy. Throws for a missing snapshot, and for other bytes than were stored. */
  load: (snapshot: Snapshot & { name: string }) => Promise<Uint8Array>
  /** Whether a packed copy is there. */
  isThere: (name: string) => Promise<boolean>
  store: (packed: Uint8Array) => Promise<Pick<Snapshot, 'name' | 'sha256'>>
  remove: (name: string) => Promise<void>
}

/** An opened copy, and its `position` in the log, see `Snapshot`. */
export type Opened = { copy: SearchCopy; position: number }

/** Opens the newest readable snapshot; undefined without one. */
export async function openSnapshot(
  { load }: Pick<Snapshots, 'load'>,
  snapshots: readonly Snapshot[],
): Promise<Opened | undefined> {
  for (const { name, ...snapshot } of snapshots) {
    if (name === null) return { copy: openCopy(), position: snapshot.position }
    try {
      return { copy: openCopy(await load({ ...snapshot, name })), position: snapshot.position }
    } catch {
      // The job `snapshotSearch` replaces a missing or damaged snapshot. Until then the one before it serves, with a longer
      // read of the log.
    }
  }
  return undefined
}
