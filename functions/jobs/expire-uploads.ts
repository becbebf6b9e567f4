import { job } from '#lib/http/job'
import { clock, ids } from '#lib/http/runtime'
import { listings } from '#lib/listings/listing-store.dynamo'
import { expireUploads } from '#lib/listings/media/expire-uploads'
import { waiting } from '#lib/listings/media/waiting-media.dynamo'
import { originalStore } from '#lib/media/store/original-store.s3'

export const { spec, handler } = job({
  name: 'expireUploads',
  summary: 'Rejects uploads that never arrived, and processes those whose arrival event was lost',
  deps: { listings, originals: originalStore, waiting, now: clock, newId: ids },
  run: (_event, deps) => expireUploads(deps),
})
