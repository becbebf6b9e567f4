import { administrator } from '#lib/accounts/access'
import { accounts } from '#lib/accounts/account-store.dynamo'
import { recorded } from '#lib/dynamo/idempotency.dynamo'
import { endpoint } from '#lib/http/endpoint'
import { clock, ids } from '#lib/http/runtime'
import { journal } from '#lib/journal/journal.dynamo'
import { decideKyc, KycDecision, KycDecisionView } from '#lib/kyc/decide'
import { kycStore } from '#lib/kyc/kyc-store.dynamo'

export const { spec, handler } = endpoint({
  route: 'PATCH /auth/kyc',
  summary: "Decide a user's identity",
  description:
    'Honours `If-Match`, the `ETag` of `GET /admin/kyc/{userId}`. A repeated decision about someone who does not wait ' +
    'records nothing. Until an administrator was given a link to each document, the person stays in the queue. `expiresAt` ' +
    'is only for `VERIFIED`. A malformed `userId` is a 404 as an unknown one is.',
  access: administrator(['identities']),
  input: { body: KycDecision },
  output: { 200: KycDecisionView },
  problems: ['not_found', 'kyc_transition_not_allowed'],
  honours: 'If-Match',
  idempotency: recorded,
  deps: { accounts, kycStore, journal, now: clock, newId: ids },
  run: ({ actor, body, seenVersion }, deps) => decideKyc(deps, actor.subject, body, seenVersion),
})
