import { administrator } from '#lib/accounts/access'
import { endpoint } from '#lib/http/endpoint'
import { CallbackId } from '#lib/kernel/id'
import { callbackReader } from '#lib/payments/callbacks/callback-store.dynamo'
import { CallbackInFull, getCallback } from '#lib/payments/callbacks/get-callback'
import { paymentReader } from '#lib/payments/payment-store.dynamo'

export const { spec, handler } = endpoint({
  route: 'GET /admin/payments/callbacks/{id}',
  summary: 'A callback and its interpretation',
  description: 'With up to five payments of the same provider account that the callback may be about.',
  access: administrator(['payments']),
  input: { params: { id: CallbackId } },
  output: { 200: CallbackInFull },
  deps: { callbacks: callbackReader, payments: paymentReader },
  run: ({ params }, deps) => getCallback(deps, params.id),
})
