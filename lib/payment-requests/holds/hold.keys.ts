import type { ListingId } from '#lib/kernel/id'
import type { Key } from '#lib/kernel/write'

/** The one hold on a listing. */
export const holdKey = (id: ListingId): Key => ({ pk: `HOLD#${id}`, sk: 'HOLD' })
