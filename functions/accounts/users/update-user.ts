import { administrator, demandFreshSignIn } from '#lib/accounts/access'
import { accountStore } from '#lib/accounts/account-store.dynamo'
import { AdministeredUser } from '#lib/accounts/administered-user'
import { changeStatus, StatusChange } from '#lib/accounts/ban'
import { statusDecisions } from '#lib/accounts/status-decisions.dynamo'
import { endpoint } from '#lib/http/endpoint'
import { clock, ids, settings } from '#lib/http/runtime'
import { journal } from '#lib/journal/journal.dynamo'
import { UserId } from '#lib/kernel/id'

export const { spec, handler } = endpoint({
  route: 'PATCH /admin/users/{id}',
  summary: 'Ban a user, or let them in again',
  description:
    'A ban ends every session and takes the agent’s page and listings out of public answers at once. The status a user ' +
    'already has, for the same reason, changes nothing.',
  access: administrator(['support']),
  input: { params: { id: UserId }, body: StatusChange },
  output: { 200: AdministeredUser },
  problems: ['step_up_required'],
  deps: { accounts: accountStore, statuses: statusDecisions, journal, settings, now: clock, newId: ids },
  run: ({ actor, params, body }, deps) => {
    demandFreshSignIn(deps, actor)
    return changeStatus(deps, actor.subject, params.id, body)
  },
})
