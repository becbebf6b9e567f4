import { UserView, userView } from '#lib/accounts/account'
import { accountStore } from '#lib/accounts/account-store.dynamo'
import { user } from '#lib/http/access'
import { endpoint } from '#lib/http/endpoint'
import { clock } from '#lib/http/runtime'

export const { spec, handler } = endpoint({
  route: 'GET /auth/profile',
  summary: "The caller's own record",
  access: user,
  output: { 200: UserView },
  deps: { accounts: accountStore, now: clock },
  run: ({ actor }, { now }) => ({ status: 200, body: userView(actor.account, now()) }),
})
