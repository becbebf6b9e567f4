import { readChange } from '#lib/dynamo/stream'
import { consumer } from '#lib/http/consumer'
import { listingReader } from '#lib/listings/listing-reader.dynamo'
import { followMedia } from '#lib/listings/media/follow-media'
import { publishedVariants } from '#lib/media/store/variant-store.s3'

export const { spec, handler } = consumer({
  name: 'followListings',
  summary: 'Publishes and hides media as their listings change, and removes the bytes of deleted media',
  deps: { listings: listingReader, variants: publishedVariants },
  read: readChange,
  run: (change, deps) => followMedia(deps, change),
})
