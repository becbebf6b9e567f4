import { administrator } from '#lib/accounts/access'
import { accounts } from '#lib/accounts/account-store.dynamo'
import { factors } from '#lib/accounts/second-factor/factor-store.dynamo'
import {
  FactorRemoval,
  FactorRemovalRequest,
  requestRemoval,
} from '#lib/accounts/second-factor/remove-factors'
import { endpoint } from '#lib/http/endpoint'
import { clock, ids } from '#lib/http/runtime'
import { journal } from '#lib/journal/journal.dynamo'
import { UserId } from '#lib/kernel/id'

export const { spec, handler } = endpoint({
  route: 'DELETE /admin/users/{id}/second-factor',
  summary: 'Remove every second factor of a person, 24 hours later',
  description:
    'The person is notified at once. A sign-in or step-up before then with a factor at least 72 hours old ' +
    'cancels the removal. A repeated request answers the same.',
  access: administrator(['support'], { signIn: 'fresh' }),
  input: { params: { id: UserId }, body: FactorRemovalRequest },
  output: { 202: FactorRemoval },
  problems: ['second_factor_missing'],
  deps: { accounts, factors, journal, now: clock, newId: ids },
  run: ({ actor, params, body }, deps) => requestRemoval(deps, actor.subject, params.id, body),
})
