import { directory } from '#lib/accounts/directory.dynamo'
import { rebuildMedia } from '#lib/administration/rebuild-media'
import { progress } from '#lib/dynamo/progress.dynamo'
import { job } from '#lib/http/job'
import { clock } from '#lib/http/runtime'
import { listingStore } from '#lib/listings/listing-store.dynamo'
import { originalStore } from '#lib/media/store/original-store.s3'

export const { spec, handler } = job({
  name: 'rebuildMedia',
  summary:
    'Has documents and films rendered that have nothing to show; run it again until it answers `isDone`',
  deps: { directory, listings: listingStore, originals: originalStore, progress, now: clock },
  run: (_event, deps) => rebuildMedia(deps),
})
