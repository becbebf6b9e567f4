import type { AccountReader } from '#lib/accounts/account-store'
import type { ListingLimits } from '#lib/accounts/listing-limits'
import { uploaderOf } from '#lib/accounts/uploader'
import type { Clock } from '#lib/kernel/clock'
import type { ListingId, NewId } from '#lib/kernel/id'
import type { QuotaStore } from '#lib/kernel/quota'
import { retryConflicts } from '#lib/kernel/retry'
import { mediaEvents } from '#lib/listings/change-events'
import { countChange } from '#lib/listings/change-limits'
import type { Listing } from '#lib/listings/listing'
import type { ListingStore } from '#lib/listings/listing-store'
import { getOwnListing } from '#lib/listings/read-listing'
import type { ListingCaller } from '#lib/listings/viewer'
import type { OriginalStore } from '#lib/media/store/original-store'
import { countUploads, requireQuickPdfs } from '#lib/media/upload-quotas'
import { refuseArchived, withAddedMedia, withMedia } from './change-media.ts'
import { isCounted, isMisannounced, type Media, newMedia, originalOf } from './media.ts'
import { type Part, type ReadFile, readParts } from './read-parts.ts'
import type { WaitingMedia } from './waiting-media.ts'

/** The advice in the refusal of a form that is too large. */
export const LARGER_FILES = 'larger files go by POST /listings/{id}/media/uploads'

type Deps = {
  listings: ListingStore
  accounts: AccountReader
  originals: Pick<OriginalStore, 'put'>
  waiting: WaitingMedia
  quotas: QuotaStore
  limits: ListingLimits
  now: Clock
  newId: NewId
}

/**
 * Adds files to a listing, to be processed: all or none, in the order sent. For bytes that the listing has already it
 * returns the existing item. On a published or suspended listing new media are pending in its revision. An item is
 * added to the listing before its bytes are stored, so that their arrival finds the item. Throws `validation_failed`
 * naming the part, `media_limit_reached`, `too_many_requests`, and `listing_transition_not_allowed` for an archived
 * listing.
 */
export async function uploadMedia(
  deps: Deps,
  caller: NonNullable<ListingCaller>,
  id: ListingId,
  parts: readonly Part[],
) {
  const files = await readParts(parts)
  const { listing, viewer, added } = await addItems(deps, caller, id, files)
  try {
    await Promise.all(files.map((file) => store(deps, listing, file)))
  } catch (error) {
    await removeItems(deps, id, added)
    throw error
  }
  return { listing, viewer, hashes: files.map(({ sha256 }) => sha256), isNew: added.length > 0 }
}

/** Adds an item in PROCESSING for each file that a listing does not have. */
const addItems = (
  deps: Deps,
  caller: NonNullable<ListingCaller>,
  id: ListingId,
  files: readonly ReadFile[],
) =>
  retryConflicts(async () => {
    const { listing, viewer, owner } = await getOwnListing(deps, caller, id)
    refuseArchived(listing)
    const added = newFiles(listing, files).map(({ content, ...file }) =>
      newMedia(deps, { ...file, bytes: content.length, uploadBefore: null }),
    )
    if (added.length === 0) return { listing, viewer, added }
    const next = withAddedMedia(listing, added, deps.now())
    // The files that an administrator adds are not counted.
    const uploader = viewer === 'owner' && owner ? uploaderOf(owner, deps.limits) : undefined
    await deps.listings.commit([
      deps.listings.changeMedia(listing, next),
      ...mediaEvents(deps, listing, next),
      // By this record the id of an item finds its listing. A record that outlives its item finds nothing.
      ...added.map((media) => deps.listings.nameMedia(id, media.id)),
      ...added.map((media) => deps.waiting.enter(entryOf(id, media))),
      ...countUploads(deps.quotas, uploader, added, deps.now()),
      ...(uploader ? countChange(deps, listing, next) : []),
      ...requireQuickPdfs(deps.quotas, uploader, added, deps.now()),
    ])
    return { listing: next, viewer, added }
  })

/**
 * Returns the files that a listing does not have, or has as an item that would refuse them; of several with the same bytes
 * only the first, with its caption.
 */
function newFiles({ media }: Listing, files: readonly ReadFile[]): ReadFile[] {
  const seen = new Set<string>()
  return files.filter(({ sha256, content, contentType }) => {
    const isFirst = !seen.has(sha256)
    seen.add(sha256)
    const known = media.find((item) => item.sha256 === sha256 && isCounted(item))
    return isFirst && (!known || isMisannounced(known, { bytes: content.length, contentType }))
  })
}

const entryOf = (listingId: ListingId, { id: mediaId, createdAt: since }: Media) => ({
  listingId,
  mediaId,
  since,
})

/** Stores the bytes of an item in PROCESSING. An earlier request may have added the item and then failed. */
async function store({ originals }: Deps, { id: listingId, media }: Listing, file: ReadFile): Promise<void> {
  const item = media.find(({ sha256 }) => sha256 === file.sha256)
  if (item?.status !== 'PROCESSING') return
  await originals.put(originalOf(listingId, item), file.content, item)
}

/** Removes the items of a failed request. If that fails, `expireUploads` rejects them later. */
const removeItems = (deps: Deps, id: ListingId, added: readonly Media[]): Promise<void> =>
  retryConflicts(async () => {
    const listing = await deps.listings.get(id)
    const ids = new Set(added.map((media) => media.id))
    const gone = listing?.media.filter((media) => ids.has(media.id) && media.status === 'PROCESSING') ?? []
    if (!listing || gone.length === 0) return
    const kept = listing.media.filter((media) => !gone.includes(media))
    const next = withMedia(listing, kept, deps.now())
    await deps.listings.commit([
      deps.listings.changeMedia(listing, next),
      ...mediaEvents(deps, listing, next),
      ...gone.map((media) => deps.waiting.leave(entryOf(id, media))),
    ])
  }).catch(() => undefined)
