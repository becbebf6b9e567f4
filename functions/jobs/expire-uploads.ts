import { job } from '#lib/http/job'
import { clock, ids } from '#lib/http/runtime'
import { listingStore } from '#lib/listings/listing-store.dynamo'
import { expireUploads } from '#lib/listings/media/expire-uploads'
import { waitingMedia } from '#lib/listings/media/waiting-media.dynamo'
import { originalStore } from '#lib/media/store/original-store.s3'

export const { spec, handler } = job({
  name: 'expireUploads',
  summary: 'Rejects uploads that never arrived, and processes those whose arrival event was lost',
  deps: {
    listings: listingStore.only('get', 'changeMedia', 'commit'),
    originals: originalStore,
    waiting: waitingMedia.only('leave', 'ofDay'),
    now: clock,
    newId: ids,
  },
  run: (_event, deps) => expireUploads(deps),
})
