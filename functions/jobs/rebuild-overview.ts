import { countedStores } from '#lib/administration/overview/counted-stores.dynamo'
import { overviewStore } from '#lib/administration/overview/overview-store.dynamo'
import { rebuildOverview } from '#lib/administration/overview/rebuild-overview'
import { progress } from '#lib/dynamo/progress.dynamo'
import { job } from '#lib/http/job'
import { clock } from '#lib/http/runtime'

export const { spec, handler } = job({
  name: 'rebuildOverview',
  summary: 'Counts the administrators’ overview again; run it again until it answers `isDone`',
  deps: {
    ...countedStores,
    overview: overviewStore.only('share', 'recount', 'waiting', 'commit'),
    progress,
    now: clock,
  },
  run: (_event, deps) => rebuildOverview(deps),
})
