import { readNewItem } from '#lib/dynamo/stream'
import { followMove } from '#lib/enquiries/close-taken'
import { enquiries } from '#lib/enquiries/enquiry-store.dynamo'
import { consumer } from '#lib/http/consumer'
import { ListingId } from '#lib/kernel/id'
import { listingReader } from '#lib/listings/listing-reader.dynamo'
import { ListingMove } from '#lib/listings/listing-store'

export const { spec, handler } = consumer({
  name: 'followListingMoves',
  summary: 'Closes the enquiries about listings that became TAKEN',
  deps: { enquiries, listings: listingReader },
  read: readNewItem,
  run: (item, deps) => followMove(deps, ListingId.parse(item['listingId']), ListingMove.parse(item)),
})
