import { user } from '#lib/accounts/access'
import { accounts } from '#lib/accounts/account-store.dynamo'
import { endpoint } from '#lib/http/endpoint'
import { clock } from '#lib/http/runtime'
import { documentRemover } from '#lib/kyc/document-files.s3'
import { kycStore } from '#lib/kyc/kyc-store.dynamo'
import { withdrawKyc } from '#lib/kyc/withdraw'

export const { spec, handler } = endpoint({
  route: 'POST /auth/kyc/withdraw',
  summary: 'Take back what was handed in since the last decision',
  description:
    'Documents that no administrator was given a link to are erased, the others stay. The caller no longer waits and may ' +
    'change their names. The status stays. While it is PENDING, which only an administrator sets, the answer is 409.',
  access: user,
  output: { 204: null },
  problems: ['in_review'],
  deps: { accounts, kycStore, files: documentRemover, now: clock },
  run: ({ actor }, deps) => withdrawKyc(deps, actor.account),
})
