import { accountStore } from '#lib/accounts/account-store.dynamo'
import { administrator } from '#lib/http/access'
import { endpoint } from '#lib/http/endpoint'
import { clock, ids } from '#lib/http/runtime'
import { decideKyc, KycDecision, KycDecisionView } from '#lib/kyc/decide'

export const { spec, handler } = endpoint({
  route: 'PATCH /auth/kyc',
  summary: "Decide a user's identity",
  access: administrator,
  input: { body: KycDecision },
  output: { 200: KycDecisionView },
  problems: ['not_found', 'kyc_transition_not_allowed'],
  deps: { accounts: accountStore, now: clock, newId: ids },
  run: async ({ actor, body }, deps) => ({ status: 200, body: await decideKyc(deps, actor.subject, body) }),
})
