import { FIELD_WORDS } from '#lib/listings/field-words'
import type { AdviceWords } from '../code-words.ts'

/** English: what goes wrong, and what to do about it. */
export const advice: AdviceWords = {
  attention: {
    second_charge: {
      title: 'Charged twice',
      advice: 'The payer was charged more than once. Give the further charge back: choose it in the refund.',
    },
    capture_failed: {
      title: 'Money that did not come',
      advice:
        'The provider took the money of this payment back before it was paid out. Ask the payer to pay again.',
    },
    wrong_sum: {
      title: 'Wrong sum',
      advice:
        'The provider reports another sum than was asked for. Accept its callback, or give the charge back.',
    },
    wrong_currency: {
      title: 'Wrong currency',
      advice:
        'Money came, or is disputed, in another currency. Give the charge back, or look it up at the provider.',
    },
    unknown_charge: {
      title: 'Unknown charge',
      advice: 'A refund or dispute names a charge that is not known here. Look it up at the provider.',
    },
    refunded_and_charged_back: {
      title: 'Given back twice',
      advice: 'A refund and a dispute took the same money. Contest the dispute with the proof of the refund.',
    },
    refund_unresolved: {
      title: 'Refund unknown',
      advice: 'The provider does not know a refund of ours. Look there, then resolve it below.',
    },
    over_refunded: {
      title: 'Refunded too much',
      advice: 'More went back than was paid. Settle the difference with the provider or the payer.',
    },
    dispute_due: {
      title: 'Dispute to answer',
      advice: 'Answer the dispute at the provider before its date.',
    },
    listing_paid_twice: {
      title: 'Listing paid twice',
      advice:
        'Another customer has paid for this listing too. Speak with the agent, and refund one of the two.',
    },
    listing_taken: {
      title: 'Listing was taken',
      advice:
        'The money came when the agent had said that the listing is taken. Refund it, or speak with them.',
    },
    request_paid_twice: {
      title: 'Request paid twice',
      advice: 'Another payment of the same request succeeded. Refund one of the two.',
    },
    listing_held_by_another: {
      title: 'Listing held by another',
      advice: 'The deposit came when another one holds the listing. Refund it, or speak with the agent.',
    },
    processing_too_long: {
      title: 'Processing for too long',
      advice: 'No end for 30 days. Look it up at the provider by its reference.',
    },
    cannot_be_read: {
      title: 'Cannot be read',
      advice: 'The provider failed to answer five times in a row. Check its status and our credentials.',
    },
  },
  deliveryError: {
    address_not_allowed: 'The address is not a public one',
    name_not_found: 'The name is not found',
    timed_out: 'No answer within ten seconds',
    connection_failed: 'No connection',
    webhook_disabled: 'The webhook was switched off',
  },
  listingField: {
    ...FIELD_WORDS.en,
    status: 'Status',
    availability: 'Availability',
    name: 'Name',
    email: 'E-mail',
    displayName: 'Public name',
    agency: 'Agency',
    licenseNumber: 'Licence',
    documents: 'Documents',
    kycStatus: 'Identity',
    media: 'Pictures',
  },
  problem: {
    offline: 'The server cannot be reached. Check the connection; nothing you typed is lost.',
    not_found: 'There is nothing under this address, or no longer.',
    too_many_requests: 'Too many requests at once. Wait a moment and try again.',
    unavailable: 'The service does not answer just now. Try again in a moment.',
    provider_unavailable: 'The payment provider does not answer just now. Try again in a moment.',
    internal: 'Something went wrong on our side. Try again; if it stays, pass on the request’s id.',
    forbidden: 'None of your roles allows this.',
    step_up_required: 'This moves money or shuts people out: it asks for a recent sign-in.',
    second_person_needed: 'This is above the limit of one administrator: another one has to do it.',
    payout_transition_not_allowed: 'This cannot follow the payout’s present state.',
    payout_exceeds_balance: 'This is more than is available.',
    payout_account_missing: 'The agent has no account in this currency that can be paid to yet.',
    second_factor_missing: 'This person has no second factor.',
    version_conflict: 'This changed while you were looking.',
    kyc_transition_not_allowed: 'This status cannot follow the present one.',
    listing_transition_not_allowed: 'This status cannot follow the present one.',
    owner_not_verified: 'The agent is not verified. Decide on their identity first.',
    media_not_ready: 'No picture is ready yet.',
    payment_not_refundable: 'This payment cannot be refunded.',
    refund_exceeds_payment: 'This is more than is left.',
    already_claimed: 'Someone else is at this.',
    webhook_limit_reached: 'There are 20 webhooks already. Delete one first.',
    unauthenticated: 'Your sign-in has ended. Sign in again; what you typed is kept.',
    validation_failed: 'Something here cannot be sent as it is.',
    invalid_cursor: 'This list has changed. Load it again.',
    callback_not_resolvable: 'This callback needs nobody any more.',
    refund_not_resolvable: 'This refund needs nobody any more.',
    idempotency_in_progress: 'The same order is being carried out. Wait a moment.',
    idempotency_key_reused: 'This order was sent before with other words. Change it and send it again.',
    payment_refused: 'The payment provider refused this.',
    payment_transition_not_allowed: 'This cannot follow the payment’s present state.',
    listing_incomplete: 'The listing lacks something that it needs.',
    draft_limit_reached: 'The agent has too many drafts.',
    listing_limit_reached: 'The agent has too many listings.',
    review_limit_reached: 'The agent has too many listings in review.',
  },
  fault: {
    url: 'The address must begin with https:// and lead to a server that everyone can reach.',
    types: 'Choose at least one event.',
    description: 'The description is too long.',
    amount: 'The provider cannot give back or pay out this very sum.',
    minimum: 'The smallest sum must be more than nothing.',
    chargeId: 'Choose a charge of this payment.',
    paymentId: 'Choose a payment of the same provider account.',
    method: 'No provider pays out to this account: pay by hand.',
    paidAt: 'The time of payment must not be in the future.',
    expiresAt: 'The end of validity must be in the future.',
    at: 'The day must not be in the future.',
    reasons: 'Choose a reason, or write a message.',
    message: 'Write a message of at most 1,000 letters, or choose a reason.',
    note: 'Write a note of at most 1,000 letters.',
    reason: 'The reason is too long.',
    reference: 'The reference is missing, or too long.',
    email: 'This is no e-mail address.',
    phone: 'A telephone number begins with + and its country.',
    name: 'Type at least one word of a name.',
    q: 'Type something to search for.',
    provider: 'No provider account has this name.',
    account: 'No account of the ledger has this name.',
    subject: 'This is no id.',
    from: 'The first day is not valid.',
    to: 'The last day is not valid.',
  },
}
