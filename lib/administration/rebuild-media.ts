import type { Directory } from '#lib/accounts/directory'
import type { Clock } from '#lib/kernel/clock'
import { type ListingId, UserId } from '#lib/kernel/id'
import { allPages } from '#lib/kernel/page'
import { inParallel } from '#lib/kernel/parallel'
import type { Progress } from '#lib/kernel/progress'
import type { ListingStore } from '#lib/listings/listing-store'
import { isUnrendered } from '#lib/listings/media/media'
import type { OriginalStore } from '#lib/media/store/original-store'
import { idsOf, WALKED_PAGE, type Walked, walkLists } from './walk-lists.ts'

const PAGE_SIZE = 100
const WIDTH = 4

type Deps = {
  directory: Directory
  listings: Pick<ListingStore, 'byAgent'>
  originals: Pick<OriginalStore, 'retell'>
  progress: Progress
  now: Clock
}

/**
 * Has documents and films rendered that are READY and have nothing to show, since they are older than their rendering.
 * `changed` tells how many accounts had such media. Run it until `isDone`. Safe to repeat.
 */
export const rebuildMedia = (deps: Deps): Promise<Walked> =>
  walkLists(
    deps,
    'rebuild-media',
    [
      async (after) =>
        idsOf(await deps.directory.page({ list: 'ALL', limit: WALKED_PAGE, after }), ({ id }) => id),
    ],
    (id) => rebuildMediaOf(deps, UserId.parse(id)),
  )

async function rebuildMediaOf({ listings, originals }: Deps, agentId: UserId): Promise<boolean> {
  const all = await allPages((after: ListingId | undefined) =>
    listings.byAgent(agentId, { limit: PAGE_SIZE, after }),
  )
  const due = all.flatMap(({ id: listingId, media }) =>
    media.filter(isUnrendered).map(({ id: mediaId, contentType }) => ({ listingId, mediaId, contentType })),
  )
  await inParallel(due, WIDTH, ({ contentType, ...name }) => originals.retell(name, contentType))
  return due.length > 0
}
