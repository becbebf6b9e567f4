import { accountReader } from '#lib/accounts/account-reader.dynamo'
import { readChange } from '#lib/dynamo/stream'
import { followFavourites } from '#lib/favourites/follow-favourites'
import { savers } from '#lib/favourites/saver-store.dynamo'
import { consumer } from '#lib/http/consumer'
import { clock, ids } from '#lib/http/runtime'

export const { spec, handler } = consumer({
  name: 'followFavourites',
  summary: 'Announces that a saved listing became cheaper or left the public',
  deps: { savers, accounts: accountReader, now: clock, newId: ids },
  read: readChange,
  run: (change, deps) => followFavourites(deps, change),
})
