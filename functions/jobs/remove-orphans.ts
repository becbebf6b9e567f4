import { progress } from '#lib/dynamo/progress.dynamo'
import { job } from '#lib/http/job'
import { clock } from '#lib/http/runtime'
import { listingReader } from '#lib/listings/listing-reader.dynamo'
import { removeOrphans } from '#lib/listings/media/remove-orphans'
import { objectInventory } from '#lib/media/store/object-inventory.s3'

export const { spec, handler } = job({
  name: 'removeOrphans',
  summary: 'Removes media that no listing names, a day after they were stored',
  deps: { listings: listingReader, objects: objectInventory, progress, now: clock },
  run: (_event, deps) => removeOrphans(deps),
})
