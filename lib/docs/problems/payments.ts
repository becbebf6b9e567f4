import type { Explanation } from './explanation.ts'

/** Problems of payments, refunds, payment requests and what providers send. */
export const PAYMENT_PROBLEMS = {
  invalid_signature: {
    when: 'A callback is unsigned, wrongly signed or too old. Nothing of it was kept.',
    remedy: 'Compare the provider’s secret with the one configured here; during a rotation, configure both.',
  },
  payment_refused: {
    when: 'The provider refused to start the payment; `providerCode` is its reason, `paymentId` the payment, now FAILED.',
    remedy: 'Offer another provider or method. The same key starts a new payment.',
  },
  payment_transition_not_allowed: {
    when: 'A payment is to be cancelled that is no longer PENDING; `from` says what it is.',
    remedy: 'Read the payment. What was paid is given back by a refund.',
  },
  payout_transition_not_allowed: {
    when: 'The payout’s status does not allow this move; `from`, `to` and `allowed` say which there are.',
    remedy:
      'Read the payout. One that a provider pays is settled by the provider, unless it needs a resolution.',
  },
  payout_exceeds_balance: {
    when: 'The payout is more than is available to the agent, or nothing is; `available` says how much is.',
    remedy: 'Pay out at most that. Money of new payments, open disputes and pending refunds is held back.',
  },
  payout_account_missing: {
    when: 'The agent has no payout account in that currency, or the account was changed and is not usable yet.',
    remedy: 'Wait until `usableFrom` of the account, or ask the agent to name one.',
  },
  balance_open: {
    when: 'The account is to be deleted while money is owed to its agent, or a payout is on its way; see `balances`.',
    remedy: 'Have the balance paid out, then delete the account.',
  },
  payment_not_refundable: {
    when: 'The payment is not SUCCEEDED, PARTIALLY_REFUNDED or CHARGED_BACK in part, a dispute is open, or its provider has no refunds by API.',
    remedy:
      'Read the payment’s status. Where the provider refunds by hand only, do it in its dashboard: the payment follows.',
  },
  refund_exceeds_payment: {
    when: 'The refund is more than is left, pending refunds counted.',
    remedy:
      'Refund at most `left`: the sum of the charge less its refunds, pending ones too, and what is disputed.',
  },
  open_payment_limit_reached: {
    when: 'The person has 20 open payments.',
    remedy: 'Cancel or finish some. Unpaid ones expire by themselves.',
  },
  refund_not_resolvable: {
    when: 'The refund is settled, or its provider, asked at that moment, knows it; `refundStatus` says what it is.',
    remedy: 'Read the payment again: nothing is left to decide, or the provider decides it.',
  },
  callback_not_resolvable: {
    when: 'The callback does not need this action, or somebody has resolved it; `callbackStatus` says what it is.',
    remedy: 'Read the list again, and choose the action that fits the status.',
  },
  payment_limit_reached: {
    when: 'Ten payments of this request failed, expired or were cancelled.',
    remedy: 'Ask the agent for a new request, or for help: something prevents this payment.',
  },
  payment_request_in_progress: {
    when: 'A payment of this request is PENDING or PROCESSING; `paymentId` names it.',
    remedy:
      'Show that payment instead of starting another. While it is PROCESSING the request cannot be cancelled.',
  },
  payment_request_not_open: {
    when: 'The request is paid, cancelled or expired; `requestStatus` says which.',
    remedy: 'Ask the agent for a new request.',
  },
  provider_unavailable: {
    when: 'The payment provider does not answer, or refuses our own credentials.',
    remedy: 'Repeat with the same key after a minute, or offer another provider. Nobody is charged twice.',
  },
} satisfies Record<string, Explanation>
