import { accountStore } from '#lib/accounts/account-store.dynamo'
import { job } from '#lib/http/job'
import { clock, ids } from '#lib/http/runtime'
import { expireVerifications } from '#lib/kyc/expire'
import { expiryQueue } from '#lib/kyc/expiry-queue.dynamo'

export const { spec, handler } = job({
  name: 'expireKyc',
  summary: 'Records that verifications have ended whose time has passed',
  deps: { accounts: accountStore, expiries: expiryQueue, now: clock, newId: ids },
  run: (_event, deps) => expireVerifications(deps),
})
