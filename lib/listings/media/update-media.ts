import { isDeepStrictEqual } from 'node:util'
import * as z from 'zod'
import type { AccountReader } from '#lib/accounts/account-store'
import type { Clock } from '#lib/kernel/clock'
import { type FieldError, invalidFields } from '#lib/kernel/domain-error'
import { type ListingId, MediaId, type NewId, type UserId } from '#lib/kernel/id'
import type { Quotas } from '#lib/kernel/quota'
import { retryConflicts } from '#lib/kernel/retry'
import type { SeenVersion } from '#lib/kernel/version'
import { mediaEvents } from '#lib/listings/change-events'
import { countChange } from '#lib/listings/change-limits'
import type { Listing } from '#lib/listings/listing'
import type { ListingStore } from '#lib/listings/listing-store'
import { refuseStaleListing } from '#lib/listings/listing-version'
import { getOwnListing } from '#lib/listings/read-listing'
import { isLive, refuseArchived, withMedia } from './change-media.ts'
import { Caption, type Media } from './media.ts'

const ENTRIES_MAX = 100

/** A new order, new captions, or both. */
export const MediaChanges = z
  .object({
    order: z
      .array(MediaId)
      .max(ENTRIES_MAX)
      .optional()
      .meta({ description: 'Every item of the listing, once' }),
    captions: z
      .record(z.string(), Caption.nullable())
      .refine(
        (captions) => Object.keys(captions).length <= ENTRIES_MAX,
        `must have at most ${ENTRIES_MAX} items`,
      )
      .optional()
      .meta({ description: 'By the id of the item; null takes a caption away' }),
  })
  .meta({ example: { captions: { med_01KAH3M6XQ8ZJ4T2V7W9C5RBND: 'The living room' } } })
type MediaChanges = z.output<typeof MediaChanges>

type Deps = {
  listings: ListingStore
  accounts: AccountReader
  quotas: Quotas
  now: Clock
  newId: NewId
}

/**
 * Reorders a listing's media and sets captions. A new order applies at once. On a published or suspended listing a new
 * caption waits in the revision. Throws `validation_failed` for an order that does not name every item once, or for a
 * caption of an unknown item. If the caller saw another version, throws `version_conflict` with the version of the owner's
 * view. Throws `listing_transition_not_allowed` for an archived listing, and `too_many_requests`.
 */
export const updateMedia = (
  deps: Deps,
  userId: UserId,
  id: ListingId,
  changes: MediaChanges,
  seen: SeenVersion,
) =>
  retryConflicts(async () => {
    const { listing } = await getOwnListing(deps, { kind: 'user', userId }, id)
    refuseStaleListing(listing, 'owner', seen)
    refuseArchived(listing)
    refuseUnknown(listing, changes)
    const media = setCaptions(listing, reorder(listing.media, changes.order), changes.captions ?? {})
    const isSame = media.every((item, position) => item === listing.media[position])
    if (isSame) return listing
    const next = withMedia(listing, media, deps.now())
    const { replace, changeMedia, commit } = deps.listings
    await commit([
      // For a caller who requires a version the whole listing is written: that conflicts with every other change.
      ...(seen === undefined ? [changeMedia(listing, next)] : replace(listing, next)),
      ...mediaEvents(deps, listing, next),
      ...countChange(deps, listing, next),
    ])
    return next
  })

function refuseUnknown({ media }: Listing, { order, captions = {} }: MediaChanges): void {
  const ids = new Set<string>(media.map(({ id }) => id))
  const errors: FieldError[] = Object.keys(captions)
    .filter((id) => !ids.has(id))
    .map((id) => ({ path: `captions.${id}`, code: 'invalid_value', message: 'is not of this listing' }))
  const namesEach = order === undefined || isDeepStrictEqual(order.toSorted(), [...ids].sort())
  if (!namesEach)
    errors.push({
      path: 'order',
      code: 'invalid_value',
      message: 'must name every item of the listing, once',
    })
  if (errors.length === 0) return
  throw invalidFields(errors)
}

const reorder = (media: readonly Media[], order: readonly MediaId[] | undefined): readonly Media[] =>
  order ? order.flatMap((id) => media.find((item) => item.id === id) ?? []) : media

const setCaptions = (
  listing: Listing,
  media: readonly Media[],
  captions: Readonly<Record<string, string | null>>,
): Media[] =>
  media.map((item) => {
    const caption = captions[item.id]
    if (caption === undefined) return item
    // A pending item is reviewed itself, with the caption that it has then.
    const isForReview = isLive(listing) && !item.isPending
    // An empty pending caption removes the caption; with null, no change is pending.
    const pendingCaption = isForReview && caption !== item.caption ? (caption ?? '') : null
    const next = { ...item, pendingCaption, caption: isForReview ? item.caption : caption }
    return next.caption === item.caption && next.pendingCaption === item.pendingCaption ? item : next
  })
