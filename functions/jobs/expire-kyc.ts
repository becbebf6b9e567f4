import { accounts } from '#lib/accounts/account-store.dynamo'
import { job } from '#lib/http/job'
import { clock, ids } from '#lib/http/runtime'
import { expireVerifications } from '#lib/kyc/expire'
import { kycStore } from '#lib/kyc/kyc-store.dynamo'

export const { spec, handler } = job({
  name: 'expireKyc',
  summary: 'Ends verifications whose time has passed, and announces to people those that end soon',
  deps: { accounts, kycStore, now: clock, newId: ids },
  run: (_event, deps) => expireVerifications(deps),
})
