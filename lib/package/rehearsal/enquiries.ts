import type { Agent } from './accounts.ts'
import { text } from './form.ts'
import type { Stage } from './stage.ts'

/** A customer who asks about a listing and is asked for a payment, and what administrators see once it is reported. */
export async function enquire(
  { ask, proveEmail, consoleToken }: Stage,
  { token }: Agent,
  listingId: string,
  email: string,
): Promise<void> {
  const registered = await ask('POST /auth/register', {
    body: { email, password: 'seven lanterns on the pier', name: 'Kofi Mensah' },
  })
  const customer = text(registered, 'accessToken')
  await proveEmail(text(registered, 'user', 'id'))
  const enquiry = await ask('POST /listings/{id}/enquiries', {
    token: customer,
    params: { id: listingId },
    body: { message: 'May I see it on Saturday?' },
  })
  const params = { id: text(enquiry, 'id') }
  const message = await ask('POST /enquiries/{id}/messages', {
    token,
    params,
    body: { text: 'With pleasure.' },
  })
  await ask('GET /enquiries', { token: customer })
  await ask('GET /enquiries/{id}', { token: customer, params })
  await ask('POST /enquiries/{id}/read', { token: customer, params, body: { upTo: text(message, 'id') } })
  await ask('PATCH /enquiries/{id}', { token, params, body: { visit: { at: '2030-01-05T10:00:00Z' } } })
  await ask('POST /enquiries/{id}/reports', { token: customer, params, body: { reason: 'other' } })
  const reported = await ask('GET /admin/enquiries', { token: consoleToken })
  await ask('GET /admin/enquiries/{id}', { token: consoleToken, params })
  const upTo = text(reported, 'items', '0', 'lastAt')
  await ask('PATCH /admin/enquiries/{id}/reports', {
    token: consoleToken,
    params,
    body: { outcome: 'DISMISSED', upTo },
    mayBeRefused: true,
  })
  const request = await ask('POST /listings/{id}/payment-requests', {
    token,
    params: { id: listingId },
    body: { enquiryId: params.id, purpose: 'rent', amount: 450_000, currency: 'XOF' },
  })
  await ask('GET /payment-requests', { token: customer })
  await ask('GET /payment-requests/{id}', { token: customer, params: { id: text(request, 'id') } })
  await ask('POST /payment-requests/{id}/cancel', { token, params: { id: text(request, 'id') } })
}
