import { isDeepStrictEqual } from 'node:util'
import type { Table } from '#lib/dynamo/table'
import type { Key, Write } from '#lib/kernel/write'
import type { Listing } from './listing.ts'
import { isCounted, MEDIA_MAX, type Media } from './media/media.ts'

type StoredMedia = Record<string, Media & { place: number }>

/** Returns a listing's media as the table holds them: by hash, each with its place, and the number that the limit counts. */
export const storedMedia = (media: readonly Media[]): { media: StoredMedia; mediaCount: number } => ({
  media: Object.fromEntries(media.map((item, place) => [item.sha256, { ...item, place }])),
  mediaCount: media.filter(isCounted).length,
})

/**
 * A new item's place is made of the time, so that it follows all others. One millisecond has this many places: more than a
 * listing has media.
 */
const PLACES_PER_MILLISECOND = 64

/** DynamoDB takes at most 300 operators in a condition: each attribute here needs two, and four kilobytes hold these. */
const ATTRIBUTES_MAX = 120

/** The change of an update, and the state on which it depends. */
type Change = { set: Record<string, unknown>; remove: string[]; equals: Record<string, unknown> }

/**
 * Returns the write that changes the media of a listing item by item. It depends on the changed items, the status and
 * the revision, but not on the version: simultaneous changes of other items do not conflict. `WriteConflict` if one of
 * these has changed, or if the listing would have more than `MEDIA_MAX` media. Undefined for more changes than one update
 * can hold.
 */
export function mediaUpdate(table: Table, key: Key, seen: Listing, next: Listing): Write | undefined {
  const [before, after] = [byHash(seen.media), byHash(next.media)]
  const change: Change = { set: { updatedAt: next.updatedAt }, remove: [], equals: stateOf(seen) }
  const isReordered = keptOrder(seen, after) !== keptOrder(next, before)
  const firstNewPlace = Date.parse(next.updatedAt) * PLACES_PER_MILLISECOND
  // A new order gives every item another place. Otherwise kept items stay where they are, and new ones follow them.
  for (const [index, item] of next.media.entries()) {
    const old = before.get(item.sha256)
    if (old?.id === item.id) changeItem(change, old, item, isReordered ? index : undefined)
    else addItem(change, old, { ...item, place: isReordered ? index : firstNewPlace + index })
  }
  for (const [hash, old] of before) {
    if (after.has(hash)) continue
    change.remove.push(`media.${hash}`)
    change.equals[`media.${hash}.id`] = old.id
  }
  const attributes = [change.set, change.equals].map((each) => Object.keys(each).length)
  if (Math.max(...attributes) > ATTRIBUTES_MAX) return undefined
  const added = next.media.filter(isCounted).length - seen.media.filter(isCounted).length
  return table.update(key, {
    set: change.set,
    remove: change.remove,
    add: { version: 1, mediaCount: added },
    when: {
      equals: change.equals,
      // With the added items the listing has at most `MEDIA_MAX`.
      ...(added > 0 && { below: { mediaCount: MEDIA_MAX - added + 1 } }),
    },
  })
}

/**
 * Returns the fields of the listing on which a change of media depends: they decide whether an added item is pending, and to
 * which revision it belongs.
 */
const stateOf = ({ status, revision }: Listing): Record<string, unknown> => ({
  status,
  ...(revision && { 'revision.submittedAt': revision.submittedAt }),
})

const byHash = (media: readonly Media[]): Map<string, Media> =>
  new Map(media.map((item) => [item.sha256, item]))

/** Returns the hashes of the items that the other version has, too, in order. */
const keptOrder = ({ media }: Listing, others: Map<string, Media>): string =>
  media.flatMap(({ sha256 }) => (others.has(sha256) ? [sha256] : [])).join()

/** Adds an item, replacing an upload of the same bytes that never arrived. */
function addItem(change: Change, old: Media | undefined, item: Media & { place: number }): void {
  const path = `media.${item.sha256}`
  change.set[path] = item
  if (old) {
    change.equals[`${path}.id`] = old.id
    // Its bytes may arrive meanwhile.
    change.equals[`${path}.status`] = old.status
  }
  // The item must be absent.
  else change.equals[path] = undefined
}

/** Changes a kept item. Without a `place` it stays where it is. */
function changeItem(change: Change, old: Media, item: Media, place: number | undefined): void {
  const path = `media.${item.sha256}`
  const values = new Map(Object.entries(old))
  const changed = Object.entries(item).filter(([name, value]) => !isDeepStrictEqual(value, values.get(name)))
  if (changed.length === 0 && place === undefined) return
  for (const [name, value] of changed) change.set[`${path}.${name}`] = value
  if (place !== undefined) change.set[`${path}.place`] = place
  change.equals[`${path}.id`] = old.id
  // A new place alone does not depend on the status.
  if (changed.length > 0) change.equals[`${path}.status`] = old.status
}
