import { type Config, type Dependency, dependency } from '#lib/config/config'
import type { Variable } from '#lib/config/variables'

/** The folders of the buckets: keys of objects begin with one. */
export type Folder = 'originals/' | 'variants/' | 'public/' | 'search/' | 'documents/' | 'exports/'

/** What a store does with the objects of a folder. Signing a link counts as the action that the link allows. */
export type ObjectAction = 'get' | 'put' | 'remove' | 'list'

/** A store's actions by folder. */
export type ObjectUses = Readonly<Partial<Record<Folder, readonly ObjectAction[]>>>

/**
 * Declares a store of objects, with everything that it does with them: a function's role allows what its stores declare.
 */
export const inBuckets = <Store, const Name extends Variable>(
  reads: readonly Name[],
  open: (config: Config<Name>) => Store,
  uses: ObjectUses,
): Dependency<Store> => ({
  ...dependency(reads, open),
  uses,
})
