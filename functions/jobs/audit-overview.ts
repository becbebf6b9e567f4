import { countedStores } from '#lib/administration/overview/counted-stores.dynamo'
import { overviewStore } from '#lib/administration/overview/overview-store.dynamo'
import { auditOverview } from '#lib/administration/overview/rebuild-overview'
import { withUsesTestedElsewhere } from '#lib/config/config'
import { progress } from '#lib/dynamo/progress.dynamo'
import { job } from '#lib/http/job'
import { clock } from '#lib/http/runtime'

export const { spec, handler } = job({
  name: 'auditOverview',
  summary: 'Compares the administrators’ overview with what it counts, and corrects what differs',
  deps: {
    ...countedStores,
    overview: withUsesTestedElsewhere(
      overviewStore.only('share', 'recount', 'waiting', 'commit'),
      'recount writes only if a count is wrong',
    ),
    progress,
    now: clock,
  },
  run: (_event, deps) => auditOverview(deps),
})
