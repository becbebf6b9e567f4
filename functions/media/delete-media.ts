import { userOrAdministrator } from '#lib/accounts/access'
import { accountReader } from '#lib/accounts/account-reader.dynamo'
import { apiKeys } from '#lib/accounts/api-keys/access'
import { quotas } from '#lib/dynamo/quotas'
import { endpoint } from '#lib/http/endpoint'
import { clock, ids } from '#lib/http/runtime'
import { ListingId, MediaId } from '#lib/kernel/id'
import { listings } from '#lib/listings/listing-store.dynamo'
import { deleteMedia } from '#lib/listings/media/delete-media'
import { waiting } from '#lib/listings/media/waiting-media.dynamo'
import { variantRemover } from '#lib/media/store/variant-store.s3'

export const { spec, handler } = endpoint({
  route: 'DELETE /listings/{id}/media/{mediaId}',
  summary: 'Delete a media item and its bytes',
  description:
    'Deletes at once, on a published listing too. The last READY picture of a published or suspended listing cannot be deleted. ' +
    'It counts in the limits of `PATCH /listings/{id}`. Honours `If-Match`.',
  access: userOrAdministrator(['moderation']),
  apiKeys: apiKeys('listings:write'),
  input: { params: { id: ListingId, mediaId: MediaId } },
  output: { 204: null },
  problems: ['forbidden', 'media_required', 'listing_transition_not_allowed', 'too_many_requests'],
  honours: 'If-Match',
  deps: {
    listings,
    accounts: accountReader,
    variants: variantRemover,
    waiting,
    quotas,
    now: clock,
    newId: ids,
  },
  run: ({ actor, params, seenVersion }, deps) =>
    deleteMedia(deps, actor, params.id, params.mediaId, seenVersion),
})
