import { accountStore } from '#lib/accounts/account-store.dynamo'
import { loginThrottle } from '#lib/accounts/throttle/throttle.dynamo'
import { user } from '#lib/http/access'
import { endpoint } from '#lib/http/endpoint'
import { clock } from '#lib/http/runtime'
import { paymentStore } from '#lib/payments/payment-store.dynamo'
import { DeletionRequest, deleteAccount } from '#lib/privacy/delete-account'

export const { spec, handler } = endpoint({
  route: 'DELETE /auth/profile',
  summary: "End the caller's account",
  description:
    'Sessions end, the e-mail address is free and public answers change at once; documents, profile and contact data ' +
    'are erased within an hour. Decisions, history and payments stay under the id alone.',
  access: user,
  input: { body: DeletionRequest },
  output: { 204: null },
  problems: ['invalid_credentials', 'payments_open', 'too_many_requests'],
  deps: {
    accounts: accountStore,
    payments: paymentStore,
    throttle: loginThrottle,
    now: clock,
  },
  run: async ({ actor, body, request }, deps) => {
    await deleteAccount(deps, actor.account, body, request.ipAddress)
    return { status: 204 }
  },
})
