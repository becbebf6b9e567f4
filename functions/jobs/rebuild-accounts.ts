import { accounts } from '#lib/accounts/account-store.dynamo'
import { userLists } from '#lib/accounts/user-lists.dynamo'
import { rebuildAccounts } from '#lib/administration/rebuild-accounts'
import { progress } from '#lib/dynamo/progress.dynamo'
import { job } from '#lib/http/job'
import { clock } from '#lib/http/runtime'
import { listings } from '#lib/listings/listing-store.dynamo'

export const { spec, handler } = job({
  name: 'rebuildAccounts',
  summary:
    'Lists every account by name and telephone, and counts its listings; run it again until it answers `isDone`',
  deps: { accounts, userLists, listings, progress, now: clock },
  run: (_event, deps) => rebuildAccounts(deps),
})
