import { consumer } from '#lib/http/consumer'
import { clock, ids } from '#lib/http/runtime'
import { inParallel } from '#lib/kernel/parallel'
import { listings } from '#lib/listings/listing-store.dynamo'
import { processMedia } from '#lib/listings/media/process-media'
import { waiting } from '#lib/listings/media/waiting-media.dynamo'
import { renderPicture } from '#lib/media/render/render-picture.sharp'
import { readArrivals } from '#lib/media/store/arrived-originals'
import { arrivedOriginals } from '#lib/media/store/original-store.s3'
import { variantWriter } from '#lib/media/store/variant-store.s3'

export const { spec, handler } = consumer({
  name: 'processMedia',
  summary: 'Checks a picture or film that has arrived, and makes the variants of it that people see',
  deps: {
    listings,
    originals: arrivedOriginals,
    variants: variantWriter,
    waiting,
    render: renderPicture,
    now: clock,
    newId: ids,
  },
  read: readArrivals,
  // One at a time: making the variants of one picture may take most of the function's memory.
  run: (names, deps, remainingMilliseconds) =>
    inParallel(names, (name) => processMedia(deps, name, remainingMilliseconds), { width: 1 }),
})
