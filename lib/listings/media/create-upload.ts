import * as z from 'zod'
import type { AccountReader } from '#lib/accounts/account-store'
import type { ListingLimits } from '#lib/accounts/listing-limits'
import { uploaderOf } from '#lib/accounts/uploader'
import {
  type Clock,
  HOUR_SECONDS,
  MINUTE_SECONDS,
  secondsAfter,
  Timestamp,
  timestamp,
} from '#lib/kernel/clock'
import type { ListingId, NewId } from '#lib/kernel/id'
import type { QuotaStore } from '#lib/kernel/quota'
import { retryConflicts } from '#lib/kernel/retry'
import { mediaEvents } from '#lib/listings/change-events'
import { countChange } from '#lib/listings/change-limits'
import type { ListingStore } from '#lib/listings/listing-store'
import { getOwnListing } from '#lib/listings/read-listing'
import type { ListingCaller } from '#lib/listings/viewer'
import { CONTENT_TYPES, KINDS } from '#lib/media/inspect/inspect-file'
import type { DirectUpload, OriginalStore } from '#lib/media/store/original-store'
import { countUploads, requireQuickPdfs } from '#lib/media/upload-quotas'
import { refuseArchived, withAddedMedia } from './change-media.ts'
import { Caption, isCounted, isMisannounced, type Media, MediaView, newMedia, originalOf } from './media.ts'
import type { WaitingMedia } from './waiting-media.ts'

const MEBIBYTE = 1024 * 1024

/** The largest file of each kind that a client may send straight to the store. */
const UPLOAD_MAX_BYTES = {
  image: 25 * MEBIBYTE,
  document: 25 * MEBIBYTE,
  video: 500 * MEBIBYTE,
} as const

/** The lifetime of the link to send a file. */
const LINK_SECONDS = 15 * MINUTE_SECONDS

/** The time after its creation in which an upload may still arrive. */
const ARRIVAL_SECONDS = HOUR_SECONDS

/** The file that a client announces. */
export const UploadRequest = z
  .object({
    contentType: z.enum(CONTENT_TYPES),
    bytes: z.int().min(1).max(UPLOAD_MAX_BYTES.video).meta({ example: 248_113 }),
    sha256: z
      .string()
      .regex(/^[0-9a-f]{64}$/i, 'must be a SHA-256 in hex')
      .meta({ example: 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855' })
      .transform((hash) => hash.toLowerCase()),
    caption: Caption.nullish(),
  })
  .superRefine(({ contentType, bytes }, context) => {
    const maximum = UPLOAD_MAX_BYTES[KINDS[contentType]]
    if (bytes > maximum)
      context.addIssue({ code: 'too_big', origin: 'number', maximum, input: bytes, path: ['bytes'] })
  })

/** The link to send a file to; null when the bytes are already there. */
export const UploadView = z.object({
  media: MediaView.meta({
    example: { status: 'PROCESSING', width: null, height: null, placeholder: null, url: null, variants: [] },
  }),
  upload: z
    .object({
      url: z.string().meta({
        example: 'https://uploads.example.com/med_01KAH3M6XQ8ZJ4T2V7W9C5RBND?X-Amz-Signature=…',
      }),
      method: z.literal('PUT'),
      headers: z.record(z.string(), z.string()).meta({
        example: { 'content-type': 'image/jpeg' },
        description: 'To be sent exactly as they are. HTTP clients add the length themselves',
      }),
      expiresAt: Timestamp.meta({ example: '2026-12-20T17:00:00.000Z' }),
    })
    .nullable(),
})

type Deps = {
  listings: ListingStore
  accounts: AccountReader
  originals: Pick<OriginalStore, 'presign' | 'size'>
  waiting: WaitingMedia
  quotas: QuotaStore
  limits: ListingLimits
  now: Clock
  newId: NewId
}

/**
 * Adds an item for a file to a listing, and returns a link by which the client sends the file's bytes, and no others,
 * straight to the store. For bytes that the listing has already it returns the existing item. If these have not
 * arrived, it returns another link, valid no longer than the item waits. It replaces an item that waits no longer, or that
 * waits for another length or type. Throws `media_limit_reached`, `too_many_requests`, and
 * `listing_transition_not_allowed` for an archived listing.
 */
export const createUpload = (
  deps: Deps,
  caller: NonNullable<ListingCaller>,
  listingId: ListingId,
  request: z.output<typeof UploadRequest>,
) =>
  retryConflicts(async () => {
    const { listing, viewer, owner } = await getOwnListing(deps, caller, listingId)
    refuseArchived(listing)
    // An upload that never arrived does not count: the same file then becomes a new item.
    const known = listing.media.find((media) => media.sha256 === request.sha256 && isCounted(media))
    if (known && !(await hasToArrive(deps, listingId, known)))
      return { listing, viewer, media: known, upload: null }
    // The job that rejects an upload after its hour may not have run yet.
    const leftSeconds = known && !isMisannounced(known, request) ? secondsLeft(deps, known) : 0
    if (known && leftSeconds >= 1) {
      const upload = await uploadOf(deps, listingId, known, Math.min(leftSeconds, LINK_SECONDS))
      return { listing, viewer, media: known, upload }
    }

    const { contentType, caption = null } = request
    const uploadBefore = timestamp(secondsAfter(deps.now(), ARRIVAL_SECONDS))
    const file = { ...request, kind: KINDS[contentType], caption, uploadBefore }
    const media = newMedia(deps, file)
    const next = withAddedMedia(listing, [media], deps.now())
    // The files that an administrator adds are not counted.
    const uploader = viewer === 'owner' && owner ? uploaderOf(owner, deps.limits) : undefined
    await deps.listings.commit([
      deps.listings.changeMedia(listing, next),
      ...mediaEvents(deps, listing, next),
      // By this record the id of an item finds its listing.
      deps.listings.nameMedia(listingId, media.id),
      deps.waiting.enter({ listingId, mediaId: media.id, since: media.createdAt }),
      ...countUploads(deps.quotas, uploader, [media], deps.now()),
      ...(uploader ? countChange(deps, listing, next) : []),
      ...requireQuickPdfs(deps.quotas, uploader, [media], deps.now()),
    ])
    return { listing: next, viewer, media, upload: await uploadOf(deps, listingId, media, LINK_SECONDS) }
  })

/** Whether the bytes of an item were to be sent by a link and have not arrived. */
const hasToArrive = async (deps: Deps, listingId: ListingId, media: Media) =>
  media.status === 'PROCESSING' &&
  media.uploadBefore !== null &&
  (await deps.originals.size(originalOf(listingId, media))) === undefined

/** Returns the whole seconds in which the bytes of an item may still arrive. */
const secondsLeft = ({ now }: Deps, { uploadBefore }: Media): number =>
  uploadBefore === null ? 0 : Math.floor((Date.parse(uploadBefore) - now().getTime()) / 1000)

async function uploadOf(
  { originals, now }: Deps,
  listingId: ListingId,
  media: Media,
  seconds: number,
): Promise<DirectUpload & { expiresAt: Timestamp }> {
  const expiresAt = timestamp(secondsAfter(now(), seconds))
  return { ...(await originals.presign(originalOf(listingId, media), media, seconds)), expiresAt }
}
