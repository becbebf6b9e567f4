import type { S3Event } from 'aws-lambda'
import { job } from '#lib/http/job'
import { clock, ids } from '#lib/http/runtime'
import { listingStore } from '#lib/listings/listing-store.dynamo'
import { arrivedOriginals } from '#lib/media/arrived-originals'
import { originalStore } from '#lib/media/original-store.s3'
import { processMedia } from '#lib/media/process-media'
import { renderPicture } from '#lib/media/render-picture.sharp'
import { variantStore } from '#lib/media/variant-store.s3'
import { waitingMedia } from '#lib/media/waiting-media.dynamo'

export const { spec, handler } = job({
  name: 'processMedia',
  summary: 'Checks an original that has arrived and makes of it what people look at',
  deps: {
    listings: listingStore,
    originals: originalStore,
    variants: variantStore,
    waiting: waitingMedia,
    render: renderPicture,
    now: clock,
    newId: ids,
  },
  run: (event: S3Event, deps) => arrivedOriginals(event, (name) => processMedia(deps, name)),
})
