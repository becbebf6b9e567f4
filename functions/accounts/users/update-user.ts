import { administrator, demandFreshSignInIf } from '#lib/accounts/access'
import { accounts } from '#lib/accounts/account-store.dynamo'
import { AdministeredUser } from '#lib/accounts/administered-user'
import { changeUser, UserChange } from '#lib/accounts/change-user'
import { statuses } from '#lib/accounts/status-decisions.dynamo'
import { recorded } from '#lib/dynamo/idempotency.dynamo'
import { endpoint } from '#lib/http/endpoint'
import { clock, ids, settings } from '#lib/http/runtime'
import { journal } from '#lib/journal/journal.dynamo'
import { UserId } from '#lib/kernel/id'

export const { spec, handler } = endpoint({
  route: 'PATCH /admin/users/{id}',
  summary: 'Ban a user, let them in again, or change an agent’s limits',
  description:
    'A ban ends every session and takes the agent’s page and listings out of public answers at once. It does not end when the owner of ' +
    'the address takes a never verified account back: `provenAt` is then later than `bannedAt`. Setting the status that ' +
    'a user already has, for the same reason, changes nothing. ' +
    'A `status` needs a fresh sign-in. `listingLimits` are replaced whole: a limit that is omitted or null is the ' +
    'general one, and `listingLimits: null` restores all of them. Records above a lowered limit stay.',
  access: administrator(['support']),
  input: { params: { id: UserId }, body: UserChange },
  output: { 200: AdministeredUser },
  problems: ['step_up_required'],
  idempotency: recorded,
  deps: { accounts, statuses, journal, settings, now: clock, newId: ids },
  run: ({ actor, params, body }, deps) => {
    demandFreshSignInIf(body.status !== undefined, deps, actor)
    return changeUser(deps, actor.subject, params.id, body)
  },
})
