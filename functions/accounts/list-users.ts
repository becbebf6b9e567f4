import { administrator } from '#lib/accounts/access'
import { accountStore } from '#lib/accounts/account-store.dynamo'
import { AdministeredUser } from '#lib/accounts/administered-user'
import { directory } from '#lib/accounts/directory.dynamo'
import { findUsers, UserQuery } from '#lib/accounts/find-users'
import { cursors } from '#lib/dynamo/cursor'
import { endpoint } from '#lib/http/endpoint'
import { clock } from '#lib/http/runtime'
import { pageOf } from '#lib/kernel/page'

export const { spec, handler } = endpoint({
  route: 'GET /admin/users',
  summary: 'Find users',
  description:
    'Newest first; with `kycStatus`, the last to be decided or to begin to wait comes first. Filters given together must all ' +
    'hold. `email` finds its one user, whatever its letter case; `phone` is the profile’s or the agent profile’s; `name` is ' +
    'the beginning of the name or of the `displayName`, accents and letter case aside, in the order of names.',
  access: administrator,
  input: { query: UserQuery },
  output: { 200: pageOf(AdministeredUser) },
  problems: ['invalid_cursor'],
  deps: { accounts: accountStore, directory, cursors, now: clock },
  run: ({ query }, deps) => findUsers(deps, query),
})
