import { administrator } from '#lib/accounts/access'
import { accountStore } from '#lib/accounts/account-store.dynamo'
import { endpoint } from '#lib/http/endpoint'
import { clock, ids } from '#lib/http/runtime'
import { decideKyc, KycDecision, KycDecisionView } from '#lib/kyc/decide'
import { kycRecords } from '#lib/kyc/kyc-records.dynamo'

export const { spec, handler } = endpoint({
  route: 'PATCH /auth/kyc',
  summary: "Decide a user's identity",
  access: administrator,
  input: { body: KycDecision },
  output: { 200: KycDecisionView },
  problems: ['not_found', 'kyc_transition_not_allowed'],
  deps: { accounts: accountStore, records: kycRecords, now: clock, newId: ids },
  run: ({ actor, body }, deps) => decideKyc(deps, actor.subject, body),
})
