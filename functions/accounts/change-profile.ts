import { user } from '#lib/accounts/access'
import { UserView } from '#lib/accounts/account'
import { accounts } from '#lib/accounts/account-store.dynamo'
import { changeProfile, ProfileChange } from '#lib/accounts/change-profile'
import { endpoint } from '#lib/http/endpoint'
import { clock } from '#lib/http/runtime'

export const { spec, handler } = endpoint({
  route: 'PATCH /auth/profile',
  summary: "Change the caller's own record",
  description:
    'Omitted fields stay as they are; `null` clears the telephone number. A name that is verified or under review cannot change.',
  access: user,
  input: { body: ProfileChange },
  output: { 200: UserView },
  problems: ['identity_verified', 'in_review'],
  deps: { accounts, now: clock },
  run: ({ actor, body }, deps) => changeProfile(deps, actor.account, body),
})
