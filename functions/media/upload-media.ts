import { userWithVerifiedEmailOrAdministrator } from '#lib/accounts/access'
import { accountReader } from '#lib/accounts/account-reader.dynamo'
import { apiKeys } from '#lib/accounts/api-keys/access'
import { generalListingLimits } from '#lib/accounts/listing-limit-settings'
import { quotas } from '#lib/dynamo/quotas'
import { endpoint } from '#lib/http/endpoint'
import { fileParts, multipart, textParts } from '#lib/http/input/multipart'
import { versioned } from '#lib/http/reply'
import { clock, ids } from '#lib/http/runtime'
import { ListingId } from '#lib/kernel/id'
import { listings } from '#lib/listings/listing-store.dynamo'
import { MediaItems } from '#lib/listings/media/media'
import { LARGER_FILES, uploadMedia } from '#lib/listings/media/upload-media'
import { viewUploaded } from '#lib/listings/media/view-media'
import { waiting } from '#lib/listings/media/waiting-media.dynamo'
import { mediaLinks } from '#lib/media/store/media-links.s3'
import { originalStore } from '#lib/media/store/original-store.s3'

export const { spec, handler } = endpoint({
  route: 'POST /listings/{id}/media',
  summary: 'Add pictures and floor plans',
  description:
    'Needs a verified e-mail. One to ten parts named `file` (JPEG, PNG, WebP, AVIF, PDF; 4 MiB each) and optional `caption` parts in the same order. Either all parts are stored or none. `items` has the order of the parts; bytes that the listing has already are ' +
    'answered with the existing item. A new item is PROCESSING until its variants are made, then READY or REJECTED. On a public ' +
    'listing it counts in the limits of `PATCH /listings/{id}`, too. A person may add 200 files a clock hour, unless the operator sets another limit, and 2 GiB a UTC day, identity documents included; after three PDFs in a clock hour that took too long to draw, no PDF.',
  access: userWithVerifiedEmailOrAdministrator(['moderation']),
  apiKeys: apiKeys('listings:write'),
  input: {
    params: { id: ListingId },
    files: multipart({ file: fileParts(10), caption: { ...textParts(10), mayBeAbsent: true } }, LARGER_FILES),
  },
  output: { 200: versioned(MediaItems), 201: versioned(MediaItems) },
  problems: ['media_limit_reached', 'too_many_requests', 'listing_transition_not_allowed'],
  deps: {
    listings,
    accounts: accountReader,
    originals: originalStore,
    waiting,
    quotas,
    limits: generalListingLimits,
    // `files` bounds the uploads of an hour
    links: mediaLinks,
    now: clock,
    newId: ids,
  },
  run: async ({ actor, params, files }, deps) => {
    const uploaded = await uploadMedia(deps, actor, params.id, files)
    return { status: uploaded.isNew ? 201 : 200, body: await viewUploaded(uploaded, deps.links) }
  },
})
