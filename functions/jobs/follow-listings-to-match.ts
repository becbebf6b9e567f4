import { readChange } from '#lib/dynamo/stream'
import { consumer } from '#lib/http/consumer'
import { followListings } from '#lib/saved-searches/follow-listings'
import { matches } from '#lib/saved-searches/match-store.dynamo'

export const { spec, handler } = consumer({
  name: 'followListingsToMatch',
  summary: 'Queues listings that became public or changed for matching with saved searches',
  deps: { matches },
  read: readChange,
  run: (change, deps) => followListings(deps, change),
})
