import type { Key } from '#lib/kernel/write'

/** The item that names the snapshots of a version of the schema. */
export const snapshotPointerKey = (schema: string): Key => ({
  pk: `SEARCH-SNAPSHOTS#${schema}`,
  sk: 'POINTER',
})

/** A snapshot's object in the media bucket. */
export const snapshotObjectKey = (schema: string, name: string): string => `search/${schema}/${name}.zst`
