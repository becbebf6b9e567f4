import { administrator } from '#lib/accounts/access'
import { accountFinder } from '#lib/accounts/account-reader.dynamo'
import { AdministeredUser } from '#lib/accounts/administered-user'
import { findUsers, UserQuery } from '#lib/accounts/find-users'
import { userLists } from '#lib/accounts/user-lists.dynamo'
import { cursors } from '#lib/dynamo/cursor'
import { endpoint } from '#lib/http/endpoint'
import { clock, ids } from '#lib/http/runtime'
import { journal } from '#lib/journal/journal.dynamo'
import { pageOf } from '#lib/kernel/page'

export const { spec, handler } = endpoint({
  route: 'GET /admin/users',
  summary: 'Find users',
  description:
    'Newest first; with `kycStatus`, by the time of the last decision or submission, newest first; with `name`, by the word ' +
    'that matches. Filters given together must all hold. `email` finds its one user, whatever its letter case. `phone` is that ' +
    'of the profile or the agent profile. Each word of `name` is the beginning of a word of the name or the `displayName`, ' +
    'accents and letter case aside. `status=BANNED&provenSince=true` lists those who verified their e-mail after their ban: ' +
    'the owner of an address that somebody else had registered stays banned until an administrator lifts the ban. ' +
    'The journal records every search.',
  access: administrator(['support']),
  input: { query: UserQuery },
  output: { 200: pageOf(AdministeredUser) },
  problems: ['invalid_cursor'],
  deps: { accounts: accountFinder, userLists, cursors, journal, now: clock, newId: ids },
  run: ({ actor, query }, deps) => findUsers(deps, actor.subject, query),
})
