import { readNewItem } from '#lib/dynamo/stream'
import { consumer } from '#lib/http/consumer'
import { clock, ids } from '#lib/http/runtime'
import { ListingId } from '#lib/kernel/id'
import { listingReader } from '#lib/listings/listing-reader.dynamo'
import { ListingMove } from '#lib/listings/listing-store'
import { followModeration } from '#lib/reports/close-reports'
import { reports } from '#lib/reports/report-store.dynamo'

export const { spec, handler } = consumer({
  name: 'followModeration',
  summary: 'Closes the reports of listings that moderators acted on, or that were archived',
  deps: { reports, listings: listingReader, now: clock, newId: ids },
  read: readNewItem,
  run: (item, deps) => followModeration(deps, ListingId.parse(item['listingId']), ListingMove.parse(item)),
})
