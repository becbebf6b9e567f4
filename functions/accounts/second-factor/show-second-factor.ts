import { user } from '#lib/accounts/access'
import { factorStore } from '#lib/accounts/second-factor/factor-store.dynamo'
import { SecondFactorView, showFactors } from '#lib/accounts/second-factor/show-factors'
import { endpoint } from '#lib/http/endpoint'

export const { spec, handler } = endpoint({
  route: 'GET /auth/second-factor',
  summary: "The caller's second factors",
  access: user,
  output: { 200: SecondFactorView },
  deps: { factors: factorStore },
  run: ({ actor }, deps) => showFactors(deps, actor.account),
})
