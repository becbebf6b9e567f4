import type { AccountStore } from '#lib/accounts/account-store'
import { type Clock, timestamp } from '#lib/kernel/clock'
import type { ListingId, NewId } from '#lib/kernel/id'
import { retryConflicts } from '#lib/kernel/retry'
import { getOwnListing } from '#lib/listings/get-listing'
import type { Listing } from '#lib/listings/listing'
import type { ListingStore } from '#lib/listings/listing-store'
import type { Caller } from '#lib/listings/viewer'
import type { OriginalStore } from '#lib/media/store/original-store'
import { CHANGE_ATTEMPTS, refuseArchived, withAddedMedia } from './change-media.ts'
import { isCounted, type Media } from './media.ts'
import { type Part, type ReadFile, readParts } from './read-parts.ts'
import type { WaitingMedia } from './waiting-media.ts'

type Deps = {
  listings: ListingStore
  accounts: AccountStore
  originals: Pick<OriginalStore, 'put'>
  waiting: WaitingMedia
  now: Clock
  newId: NewId
}

/**
 * Adds files to a listing, to be processed: all or none, in the order sent. The same bytes once more are the item
 * that is there. On a published or suspended listing new media wait in its revision. The bytes are stored before
 * the listing names them; what a lost race leaves behind is named by nobody, and removed as such. Throws
 * `validation_failed` naming the part, `media_limit_reached`, and `listing_transition_not_allowed` when archived.
 */
export async function uploadMedia(
  deps: Deps,
  caller: NonNullable<Caller>,
  id: ListingId,
  parts: readonly Part[],
) {
  const files = await readParts(parts)
  const hashes = files.map(({ sha256 }) => sha256)
  const stored = new Map<string, Media>()
  return retryConflicts(
    async () => {
      const { listing, viewer } = await getOwnListing(deps, caller, id)
      refuseArchived(listing)
      const added = newFiles(listing, files)
      // Refuses a listing that is full before anything is stored for it.
      withAddedMedia(
        listing,
        added.map((file) => unstored(deps, file)),
        deps.now(),
      )
      const missing = added.filter(({ sha256 }) => !stored.has(sha256))
      const items = await Promise.all(missing.map((file) => store(deps, listing, file)))
      for (const item of items) stored.set(item.sha256, item)

      const media = added.flatMap(({ sha256 }) => stored.get(sha256) ?? [])
      if (media.length === 0) return { listing, viewer, hashes, isNew: false }
      const next = withAddedMedia(listing, media, deps.now())
      await deps.listings.commit([
        deps.listings.replace(listing, next),
        ...media.map(({ id: mediaId, createdAt: since }) =>
          deps.waiting.enter({ listingId: id, mediaId, since }),
        ),
      ])
      return { listing: next, viewer, hashes, isNew: true }
    },
    { attempts: CHANGE_ATTEMPTS },
  )
}

/** The files that a listing does not have, each once: the first of the same bytes brings the caption. */
function newFiles({ media }: Listing, files: readonly ReadFile[]): ReadFile[] {
  const known = new Set(media.filter(isCounted).map(({ sha256 }) => sha256))
  return files.filter(({ sha256 }) => !known.has(sha256) && known.add(sha256))
}

const unstored = ({ now, newId }: Deps, { content, ...known }: ReadFile): Media => ({
  ...known,
  id: newId('media'),
  status: 'PROCESSING',
  reason: null,
  bytes: content.length,
  width: null,
  height: null,
  variants: [],
  placeholder: null,
  isPending: false,
  pendingCaption: null,
  uploadBefore: null,
  createdAt: timestamp(now()),
})

async function store(deps: Deps, { id: listingId }: Listing, file: ReadFile): Promise<Media> {
  const media = unstored(deps, file)
  await deps.originals.put({ listingId, mediaId: media.id }, file.content, media)
  return media
}
