import { randomUUID } from 'node:crypto'
import { spec as reconcilePayments } from '#functions/jobs/reconcile-payments'
import { spec as refundPayment } from '#functions/payments/refund-payment'
import { DomainError } from '#lib/kernel/domain-error'
import type { PaymentView } from '#lib/payments/payment-view'
import { type Call, call } from '#test/support/call'
import { fromGateway } from '#test/support/callbacks'
import { aConversation } from '#test/support/enquiries'
import { later } from '#test/support/factors'
import { aUser, consoleToken, type GivenUser } from '#test/support/given'
import { runJob } from '#test/support/jobs'
import { requested } from '#test/support/payment-requests'
import { aPayment, paymentOf, played, reads, success } from '#test/support/payments'
import { testProviders } from '#test/support/providers'
import type { Visit } from './visit.ts'

const CALLBACK = 'POST /payments/callback/{provider}'

const providers = () => ({ providers: testProviders() })

/** Visits what payers, agents and administrators do with payments. */
export async function visitPayments(visit: Visit): Promise<void> {
  await visitRequests(visit)
  await visitPaid(visit)
  await visitCallbacks(visit)
  await visitRefunds(visit)
  await visit('GET /currencies', { deps: providers() })
  await visit('GET /payment-providers', { deps: providers() })
}

const callbackOf = ({ id, amount, currency }: { id: string; amount: number; currency: string }): Call => {
  const { provider, ...sent } = fromGateway('payment.succeeded', {
    id: `txn_${id}`,
    reference: id,
    amount,
    currency,
  })
  return { ...sent, params: { provider }, deps: providers() }
}

/** Starts a payment, of a request too. */
const begin = (visit: Visit, { token }: GivenUser, body: object): Promise<PaymentView> =>
  visit('POST /payments', {
    token,
    headers: { 'idempotency-key': randomUUID() },
    body: { provider: 'standard-webhooks', ...body },
    deps: providers(),
  })

async function visitRequests(visit: Visit): Promise<void> {
  const { agent, listing, customer, enquiry } = await aConversation()
  await aPayment(customer)
  const { id }: { id: string } = await visit('POST /listings/{id}/payment-requests', {
    token: agent.token,
    params: { id: listing },
    headers: { 'idempotency-key': randomUUID() },
    body: { enquiryId: enquiry.id, purpose: 'deposit', amount: 150_000, currency: 'XOF' },
  })
  await visit('GET /payment-requests', { token: customer.token })
  await visit('GET /payment-requests/{id}', { token: customer.token, params: { id } })
  const other = await requested(agent, listing, enquiry.id, { purpose: 'rent' })
  await visit('POST /payment-requests/{id}/cancel', { token: agent.token, params: { id: other.id } })
  const payment = await begin(visit, customer, { paymentRequestId: id })
  await visit(CALLBACK, callbackOf(payment))
}

async function visitPaid(visit: Visit): Promise<void> {
  const { listing, customer } = await aConversation()
  const { token } = customer
  const draft = { amount: 150_000, currency: 'XOF', purpose: 'rent', listingId: listing }
  const payment = await begin(visit, customer, draft)
  const params = { id: payment.id }
  await visit(CALLBACK, callbackOf(payment))
  await visit('GET /payments', { token })
  await visit('GET /payments/{id}', { token, params })
  const { link }: { link: { url: string } } = await visit('GET /payments/{id}/receipt', { token, params })
  await visit('GET /receipt', { query: { token: new URL(link.url).searchParams.get('token') ?? '' } })
  const admin = await consoleToken()
  await visit('GET /admin/payments', { token: admin })
  await visit('GET /admin/payments/{id}', { token: admin, params })
  const other = await aPayment(customer)
  await visit('POST /payments/{id}/cancel', { token, params: { id: other.id }, deps: providers() })
}

async function visitCallbacks(visit: Visit): Promise<void> {
  await visit(CALLBACK, callbackOf({ id: 'of no payment', amount: 100, currency: 'EUR' }))
  const token = await consoleToken()
  const { items }: { items: { id: string }[] } = await visit('GET /admin/payments/callbacks', { token })
  const params = { id: items[0]?.id ?? '' }
  await visit('GET /admin/payments/callbacks/{id}', { token, params })
  await visit('POST /admin/payments/callbacks/{id}/replay', { token, params, body: {}, deps: providers() })
  const body = { action: 'DISMISS', note: 'A test of theirs' }
  await visit('POST /admin/payments/callbacks/{id}/resolve', { token, params, body })
}

async function visitRefunds(visit: Visit): Promise<void> {
  const [payer, token] = [await aUser(), await consoleToken()]
  const provider = aRefundingProvider()
  const { deps } = provider
  const payment = await aPayment(payer, { provider: 'played' }, deps.providers)
  provider.pay(payment)
  await visit(CALLBACK, { params: { provider: 'played' }, rawBody: '{}', deps })
  const ask = { token, params: { id: payment.id }, body: { amount: 500 }, deps }
  await visit('POST /payments/{id}/refunds', ask)
  provider.loseAnswers()
  await call(refundPayment, ask)
  await runJob(reconcilePayments, { ...deps, ...later(3600) })
  await runJob(reconcilePayments, { ...deps, ...later(7200) })
  const refundId = (await paymentOf(payer, payment.id)).refunds.at(-1)?.id ?? ''
  await visit('POST /payments/{id}/refunds/{refundId}/resolve', {
    token,
    params: { id: payment.id, refundId },
    body: { outcome: 'FAILED', note: 'The bank has no such refund' },
    deps,
  })
}

/** A provider that has taken the money of one payment, and whose next answer to a refund can be lost. */
function aRefundingProvider() {
  let payment: PaymentView | undefined
  let isLost = false
  const events = () => (payment ? [success(payment)] : [])
  const providers = played({
    interpret: events,
    readPayment: reads(async () => events()),
    startRefund: async ({ key }) => {
      if (isLost) throw new DomainError('provider_unavailable')
      return { state: 'succeeded', providerRefundId: `re_${key}` }
    },
  })
  return {
    deps: { providers },
    pay: (paid: PaymentView) => {
      payment = paid
    },
    loseAnswers: () => {
      isLost = true
    },
  }
}
