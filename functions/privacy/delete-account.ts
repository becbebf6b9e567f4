import { user } from '#lib/accounts/access'
import { accountStore } from '#lib/accounts/account-store.dynamo'
import { passwordStore } from '#lib/accounts/passwords/password-store.dynamo'
import { factorStore } from '#lib/accounts/second-factor/factor-store.dynamo'
import { steppedUpWithFactor } from '#lib/accounts/sessions/access'
import { loginThrottle } from '#lib/accounts/throttle/throttle.dynamo'
import { endpoint } from '#lib/http/endpoint'
import { clock, ids } from '#lib/http/runtime'
import { kycStore } from '#lib/kyc/kyc-store.dynamo'
import { agentAccounts } from '#lib/ledger/agent-accounts.dynamo'
import { paymentStore } from '#lib/payments/payment-store.dynamo'
import { changedPayoutStores } from '#lib/payouts/changed-payout-stores.dynamo'
import { payoutSettings } from '#lib/payouts/payout-settings'
import { payoutStore } from '#lib/payouts/payout-store.dynamo'
import { DeletionRequest, deleteAccount } from '#lib/privacy/delete-account'
import { deletions } from '#lib/privacy/deletions.dynamo'

export const { spec, handler } = endpoint({
  route: 'DELETE /auth/profile',
  summary: "End the caller's account",
  description:
    'At once sessions end, the e-mail address is free, and the person is gone from public answers. Within an hour documents, ' +
    'profile and contact data are erased, and listings archived without exact place, description and media. Decisions, ' +
    'history and payments stay under the bare id: the account itself is then unknown even to administrators. ' +
    'A wrong password counts as a failed login.',
  access: steppedUpWithFactor(user),
  input: { body: DeletionRequest },
  output: { 204: null },
  problems: ['invalid_credentials', 'payments_open', 'balance_open', 'too_many_requests'],
  deps: {
    accounts: accountStore.only('get', 'endSession', 'remove', 'commit'),
    passwords: passwordStore.only('get', 'remove'),
    factors: factorStore.only('get', 'remove'),
    payments: paymentStore.only('byUser', 'list', 'countBegun', 'requireBegun'),
    ...changedPayoutStores,
    agentAccounts: agentAccounts.only('ofAgent', 'heldPayments', 'close'),
    payouts: payoutStore.only('underWay', 'removeAccount'),
    payoutSettings,
    kycStore: kycStore.only('moveExpiry'),
    deletions: deletions.only('insert'),
    throttle: loginThrottle,
    now: clock,
    newId: ids,
  },
  run: ({ actor, body, request }, deps) => deleteAccount(deps, actor, body, request.ipAddress),
})
