import { type Config, type Dependency, dependency } from '#lib/config/config'
import { heldTo, openTable, TABLE_WRITES, usesOf } from '#lib/dynamo/table'
import type { Write } from '#lib/kernel/write'
import type { ObjectUses } from '#lib/objects/buckets'
import { schemaVersion } from './schema-version.derived.ts'
import { snapshotPointerKey } from './search.keys.ts'
import { Pointer, type Snapshots } from './snapshots.ts'

const PLACES = { reads: ['SEARCH-SNAPSHOTS'], writes: ['SEARCH-SNAPSHOTS'] }

const open = ({ TABLE_NAME, MEDIA_BUCKET }: Config<'TABLE_NAME' | 'MEDIA_BUCKET'>): Snapshots => {
  const table = heldTo(openTable(TABLE_NAME), PLACES)
  const objects = async () => (await import('./snapshot-objects.s3.ts')).snapshotObjects(MEDIA_BUCKET)
  const key = snapshotPointerKey(schemaVersion())
  return {
    pointer: async () => {
      const item = await table.get(key)
      return item && Pointer.parse(item)
    },
    setPointer: (seen, next) =>
      table.commit([
        table.put(
          { ...key, kind: 'search-snapshots', ...next },
          { when: seen ? { equals: { revision: seen.revision } } : 'absent' },
        ),
      ]),
    load: async (snapshot) => (await objects()).load(snapshot),
    isThere: async (name) => (await objects()).isThere(name),
    store: async (packed) => (await objects()).store(packed),
    remove: async (name) => (await objects()).remove(name),
  }
}

const READS = ['TABLE_NAME', 'MEDIA_BUCKET'] as const

/** Snapshots in the media bucket, and their pointer in the one table. The client of S3 is imported at its first use. */
export const snapshotStore: Dependency<Snapshots> = {
  ...dependency(READS, open),
  uses: {
    ...usesOf(PLACES),
    'search/': ['get', 'put', 'remove'],
  } satisfies ObjectUses,
}

/** Stores snapshots without reading any. */
export const snapshotWriter: Dependency<Omit<Snapshots, 'load' | 'isThere'>> = {
  ...dependency(READS, open),
  uses: {
    ...usesOf(PLACES),
    'search/': ['put', 'remove'],
  } satisfies ObjectUses,
}

/**
 * Returns the write that makes an empty copy the first snapshot of a new table. It needs no object, so it has neither name
 * nor hash. The log of changes is then read from `at` on, in milliseconds since 1970.
 */
export const emptySearch = (at: number): Write => {
  const pointer: Pointer = { revision: 1, snapshots: [{ name: null, sha256: '', position: at }] }
  return TABLE_WRITES.put({ ...snapshotPointerKey(schemaVersion()), kind: 'search-snapshots', ...pointer })
}
