import { accountReader } from '#lib/accounts/account-reader.dynamo'
import { job } from '#lib/http/job'
import { clock, ids } from '#lib/http/runtime'
import { listingReader } from '#lib/listings/listing-reader.dynamo'
import { matches } from '#lib/saved-searches/match-store.dynamo'
import { searches } from '#lib/saved-searches/saved-search-store.dynamo'
import { searchAlerts } from '#lib/saved-searches/send-alerts'

export const { spec, handler } = job({
  name: 'searchAlerts',
  summary: 'Matches new and changed listings with saved searches, and sends the alerts that are due',
  deps: {
    matches,
    searches,
    listings: listingReader,
    accounts: accountReader,
    now: clock,
    machineNow: clock,
    newId: ids,
  },
  acceptsTime: true,
  // An event's time replaces the clock `now`, by which alerts are due. `machineNow` stays the real time, which records carry.
  run: (_event, { now, machineNow, ...deps }) => searchAlerts({ ...deps, now: machineNow }, now),
})
