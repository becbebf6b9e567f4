import { Listing } from '#lib/listings/listing'
import type { VariantStore } from '#lib/media/store/variant-store'
import { originalOf } from './media.ts'
import { publicVariants, publishMedia } from './publish-media.ts'

type Deps = Parameters<typeof publishMedia>[0] & { variants: Pick<VariantStore, 'removeAll'> }

/** A listing before and after a change, as the table's stream reports it. */
type Change = { before: unknown; after: unknown }

/**
 * Makes the public copies of media follow their listing: copies those of public items to their public addresses, and
 * removes those of private items. Deletes the files of items that the listing no longer has. Safe to repeat.
 */
export async function followMedia(deps: Deps, change: Change): Promise<void> {
  const after = Listing.parse(change.after)
  const before = change.before === undefined ? after : Listing.parse(change.before)
  const { id, agentId } = after
  const kept = new Set(after.media.map((media) => media.id))
  for (const media of before.media) {
    if (!kept.has(media.id)) await deps.variants.removeAll(agentId, originalOf(id, media))
  }
  const isOrWasPublic = publicVariants(before).length + publicVariants(after).length > 0
  if (isOrWasPublic) await publishMedia(deps, agentId, id)
}
