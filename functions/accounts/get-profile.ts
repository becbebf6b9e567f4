import { user } from '#lib/accounts/access'
import { UserView, userView } from '#lib/accounts/account'
import { endpoint } from '#lib/http/endpoint'
import { clock } from '#lib/http/runtime'

export const { spec, handler } = endpoint({
  route: 'GET /auth/profile',
  summary: "The caller's own record",
  description:
    '`roles` are the current ones, even if the access token was issued with others. `locale` is the language of mail and ' +
    'notifications; `phone` is in E.164.',
  access: user,
  output: { 200: UserView },
  deps: { now: clock },
  run: ({ actor }, { now }) => userView(actor.account, now()),
})
