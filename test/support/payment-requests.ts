import { randomUUID } from 'node:crypto'
import { spec as createPaymentRequest } from '#functions/payment-requests/create-payment-request'
import { spec as getPaymentRequest } from '#functions/payment-requests/get-payment-request'
import { spec as createPayment } from '#functions/payments/create-payment'
import type { PaymentRequestView } from '#lib/payment-requests/request-view'
import type { PaymentView } from '#lib/payments/payment-view'
import { call } from './call.ts'
import { aConversation } from './enquiries.ts'
import type { GivenUser } from './given.ts'
import { UNCOUNTED } from './payments.ts'
import { testProviders } from './providers.ts'

/** What a request asks for, unless told otherwise: in the currency of the given listings. */
const DEPOSIT = { purpose: 'deposit', amount: 150_000, currency: 'XOF' }

/** Asks the customer of an enquiry for a payment. */
export const requestPayment = (
  owner: GivenUser,
  listing: string,
  enquiryId: string,
  more: Record<string, unknown> = {},
  headers: Record<string, string> = {},
  deps: Record<string, unknown> = {},
) =>
  call(createPaymentRequest, {
    params: { id: listing },
    token: owner.token,
    body: { enquiryId, ...DEPOSIT, ...more },
    headers,
    deps,
  })

/** A customer who was asked for a payment in an enquiry of theirs. */
export async function aPaymentRequest(more: Record<string, unknown> = {}) {
  const given = await aConversation()
  return { ...given, request: await requested(given.agent, given.listing, given.enquiry.id, more) }
}

/** A request that was made. */
export async function requested(
  owner: GivenUser,
  listing: string,
  enquiryId: string,
  more: Record<string, unknown> = {},
): Promise<PaymentRequestView> {
  const { status, body, text } = await requestPayment(owner, listing, enquiryId, more)
  if (status !== 201) throw new Error(text)
  return body
}

/** Starts a payment of a request, with one's own gateway unless told otherwise. */
export const payRequest = (
  payer: GivenUser,
  paymentRequestId: string,
  more: Record<string, unknown> = {},
  deps: Record<string, unknown> = {},
) =>
  call(createPayment, {
    token: payer.token,
    headers: { 'idempotency-key': randomUUID() },
    body: { provider: 'standard-webhooks', paymentRequestId, ...more },
    deps: { providers: testProviders(), phonePromptCounters: UNCOUNTED, ...deps },
  })

/** A payment of a request that was started. */
export async function begun(payer: GivenUser, paymentRequestId: string): Promise<PaymentView> {
  const { status, body, text } = await payRequest(payer, paymentRequestId)
  if (status !== 201) throw new Error(text)
  return body
}

/** The request as one of its sides sees it now. */
export const requestOf = async (by: GivenUser, id: string): Promise<PaymentRequestView> =>
  (await call(getPaymentRequest, { params: { id }, token: by.token })).body
