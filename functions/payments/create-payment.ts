import { user } from '#lib/accounts/access'
import { accountReader } from '#lib/accounts/account-reader.dynamo'
import { counterStore } from '#lib/accounts/throttle/counters.dynamo'
import { claimed } from '#lib/dynamo/idempotency.dynamo'
import { quotas } from '#lib/dynamo/quotas'
import { enquiries } from '#lib/enquiries/enquiry-store.dynamo'
import { endpoint } from '#lib/http/endpoint'
import { clock, ids } from '#lib/http/runtime'
import { agentAccounts } from '#lib/ledger/agent-accounts.dynamo'
import { books } from '#lib/ledger/books.dynamo'
import { listings } from '#lib/listings/listing-store.dynamo'
import { holds } from '#lib/payment-requests/holds/hold-store.dynamo'
import { withPayable } from '#lib/payment-requests/pay-request'
import { requests } from '#lib/payment-requests/request-store.dynamo'
import { callbacks } from '#lib/payments/callbacks/callback-store.dynamo'
import { commissionRates, returnOrigins } from '#lib/payments/checkout/check-payment'
import { createPayment } from '#lib/payments/checkout/create-payment'
import { PAYMENT_REFUSALS, PaymentDraft } from '#lib/payments/checkout/payment-draft'
import { payments } from '#lib/payments/payment-store.dynamo'
import { PaymentView } from '#lib/payments/payment-view'
import { circuitBreaker } from '#lib/providers/circuit-breaker.dynamo'
import { paymentProviders } from '#lib/providers/registry'

export const { spec, handler } = endpoint({
  route: 'POST /payments',
  summary: 'Start a payment',
  description:
    'Answers with the page to pay on. If the provider does not answer, the payment stays PENDING. The same `Idempotency-Key` ' +
    'again continues it, or answers what became of it; the payer is never asked twice. A requested deposit or ' +
    'purchase holds its listing. A person may have 20 open payments (else 409 `open_payment_limit_reached`) and begin 60 a ' +
    'UTC day. In an hour three payments may ask on one telephone, and three of one person.',
  access: user,
  input: { body: PaymentDraft },
  output: {
    201: PaymentView.meta({
      example: { status: 'PENDING', amountPaid: 0, receiptNumber: null, checkout: {}, events: [] },
    }),
  },
  location: '/payments/',
  problems: PAYMENT_REFUSALS,
  idempotency: claimed('payment'),
  deps: {
    payments,
    requests,
    holds,
    enquiries,
    listings,
    agentAccounts,
    books,
    callbacks,
    providers: paymentProviders,
    circuitBreaker,
    commissionRates,
    phonePromptCounters: counterStore,
    quotas,
    returnOrigins,
    accounts: accountReader,
    now: clock,
    newId: ids,
  },
  // `idempotency` adds `once` to the dependencies: it stores the answer in the transaction of the use case.
  run: ({ actor, body }, deps) => createPayment(withPayable(deps), actor.account, body, deps.once),
})
