import { user } from '#lib/accounts/access'
import { factorReader } from '#lib/accounts/second-factor/factor-store.dynamo'
import { SecondFactorView, showFactors } from '#lib/accounts/second-factor/show-factors'
import { endpoint } from '#lib/http/endpoint'

export const { spec, handler } = endpoint({
  route: 'GET /auth/second-factor',
  summary: "The caller's second factors",
  description:
    '`totp` is null until its first code was confirmed. Passkeys come with the names they were given, at most 10. ' +
    '`removesAt` is the time at which an administrator’s removal takes effect, null unless one was requested.',
  access: user,
  output: { 200: SecondFactorView },
  deps: { factors: factorReader },
  run: ({ actor }, deps) => showFactors(deps, actor.account),
})
