import { user } from '#lib/accounts/access'
import { endpoint } from '#lib/http/endpoint'
import { clock } from '#lib/http/runtime'
import { getKyc, KycView } from '#lib/kyc/get-kyc'
import { kycReader } from '#lib/kyc/kyc-store.dynamo'

export const { spec, handler } = endpoint({
  route: 'GET /auth/kyc',
  summary: 'Where the caller stands in proving who they are',
  description:
    '`nextStep` is `WAIT` while the person waits for a decision, `HAND_IN_DOCUMENTS` when nothing is verified, and `RENEW` ' +
    'when a verification has ended or ends within 30 days.',
  access: user,
  output: { 200: KycView },
  deps: { kycStore: kycReader, now: clock },
  run: ({ actor }, deps) => getKyc(deps, actor.account),
})
