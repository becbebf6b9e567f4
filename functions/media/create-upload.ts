import { userWithVerifiedEmailOrAdministrator } from '#lib/accounts/access'
import { accountReader } from '#lib/accounts/account-reader.dynamo'
import { apiKeys } from '#lib/accounts/api-keys/access'
import { generalListingLimits } from '#lib/accounts/listing-limit-settings'
import { quotas } from '#lib/dynamo/quotas'
import { endpoint } from '#lib/http/endpoint'
import { versioned } from '#lib/http/reply'
import { clock, ids } from '#lib/http/runtime'
import { ListingId } from '#lib/kernel/id'
import { listings } from '#lib/listings/listing-store.dynamo'
import { versionIn } from '#lib/listings/listing-version'
import { createUpload, UploadRequest, UploadView } from '#lib/listings/media/create-upload'
import { viewItem } from '#lib/listings/media/view-media'
import { waiting } from '#lib/listings/media/waiting-media.dynamo'
import { mediaLinks } from '#lib/media/store/media-links.s3'
import { originalStore } from '#lib/media/store/original-store.s3'

export const { spec, handler } = endpoint({
  route: 'POST /listings/{id}/media/uploads',
  summary: 'Send a large picture or a video straight to the store',
  description:
    'Needs a verified e-mail. Pictures and PDF up to 25 MiB, MP4 up to 500 MiB. Send the bytes to `upload.url` with `upload.method` and ' +
    'exactly `upload.headers` within 15 minutes. The store accepts them once: a 412 means that they have arrived. The item is PROCESSING until they are checked. If the listing has the same ' +
    'bytes already, the answer is 200 without `upload`. An upload that has not arrived after an hour is REJECTED ' +
    '(`upload_expired`). An upload that has not arrived when its listing is published waits in the revision. ' +
    'Of a film customers get the pictures and the sound: other tracks, such as subtitles, and metadata are blanked. ' +
    'It counts in the limits of `POST /listings/{id}/media`.',
  access: userWithVerifiedEmailOrAdministrator(['moderation']),
  apiKeys: apiKeys('listings:write'),
  input: { params: { id: ListingId }, body: UploadRequest },
  output: { 200: versioned(UploadView), 201: versioned(UploadView) },
  problems: ['forbidden', 'media_limit_reached', 'too_many_requests', 'listing_transition_not_allowed'],
  deps: {
    listings,
    accounts: accountReader,
    originals: originalStore,
    waiting,
    quotas,
    limits: generalListingLimits,
    // their `files` bounds the uploads of an hour
    links: mediaLinks,
    now: clock,
    newId: ids,
  },
  run: async ({ actor, params, body }, deps) => {
    const { listing, viewer, media, upload } = await createUpload(deps, actor, params.id, body)
    const view = { media: await viewItem(listing, media, deps.links), upload }
    return { status: upload ? 201 : 200, body: { view, ...versionIn(viewer, listing) } }
  },
})
