import { aVerifiedAgent, consoleToken } from '#test/support/given'
import { aListing } from '#test/support/listings'
import type { Visit } from './visit.ts'

/** Visits what administrators see of everything, and what others are told of it. */
export async function visitAdministration(visit: Visit): Promise<void> {
  const token = await consoleToken()
  const subject = await aListing((await aVerifiedAgent()).id)
  await visit('PUT /admin/claims/{subject}', { token, params: { subject } })
  await visit('DELETE /admin/claims/{subject}', { token, params: { subject } })
  await visit('GET /admin/overview', { token })
  await visit('GET /admin/actions', { token })
  const later = { now: () => new Date(Date.now() + 60_000) }
  const { items }: { items: { id: string }[] } = await visit('GET /admin/events', { token, deps: later })
  await visit('GET /admin/events/{id}', { token, params: { id: items[0]?.id ?? '' }, deps: later })
  await visit('GET /admin/search', { token, query: { q: 'lagoon' } })
  await visitWebhooks(visit)
}

async function visitWebhooks(visit: Visit): Promise<void> {
  const token = await consoleToken()
  const body = { url: 'https://hooks.example.com/', types: ['user.registered'] }
  const { id }: { id: string } = await visit('POST /admin/webhooks', { token, body })
  const params = { id }
  await visit('GET /admin/webhooks', { token })
  await visit('GET /admin/webhooks/{id}', { token, params })
  await visit('PATCH /admin/webhooks/{id}', { token, params, body: { description: 'The mirror' } })
  await visit('POST /admin/webhooks/{id}/rotate', { token, params })
  await visit('POST /admin/webhooks/{id}/test', { token, params })
  const { items }: { items: { id: string }[] } = await visit('GET /admin/webhooks/{id}/deliveries', {
    token,
    params,
  })
  await visit('POST /admin/webhooks/{id}/deliveries/{deliveryId}/redeliver', {
    token,
    params: { id, deliveryId: items[0]?.id ?? '' },
  })
  await visit('DELETE /admin/webhooks/{id}', { token, params })
}
