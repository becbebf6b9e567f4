import { user } from '#lib/accounts/access'
import { accounts } from '#lib/accounts/account-store.dynamo'
import { passwords } from '#lib/accounts/passwords/password-store.dynamo'
import { factors } from '#lib/accounts/second-factor/factor-store.dynamo'
import { steppedUpWithFactor } from '#lib/accounts/sessions/access'
import { loginThrottle } from '#lib/accounts/throttle/throttle.dynamo'
import { endpoint } from '#lib/http/endpoint'
import { clock, ids } from '#lib/http/runtime'
import { kycStore } from '#lib/kyc/kyc-store.dynamo'
import { agentAccounts } from '#lib/ledger/agent-accounts.dynamo'
import { books } from '#lib/ledger/books.dynamo'
import { paymentReader } from '#lib/payments/payment-store.dynamo'
import { payoutAccounts } from '#lib/payouts/payout-account-store.dynamo'
import { payoutSettings } from '#lib/payouts/payout-settings'
import { payouts } from '#lib/payouts/payout-store.dynamo'
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
    accounts,
    passwords,
    factors,
    payments: paymentReader,
    payouts,
    payoutAccounts,
    agentAccounts,
    books,
    payoutSettings,
    kycStore,
    deletions,
    throttle: loginThrottle,
    now: clock,
    newId: ids,
  },
  run: ({ actor, body, request }, deps) => deleteAccount(deps, actor, body, request.ipAddress),
})
