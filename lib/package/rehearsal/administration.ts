import { randomUUID } from 'node:crypto'
import type { Agent } from './accounts.ts'
import { text } from './form.ts'
import type { Stage } from './stage.ts'

/** What administrators look at and look after beside people, listings and payments. */
export async function administer({ ask, consoleToken: token }: Stage, { userId }: Agent): Promise<void> {
  await ask('GET /admin/actions', { token })
  await ask('GET /admin/events', { token })
  await ask('GET /admin/events/{id}', {
    token,
    params: { id: 'evt_01KAH3M6XQ8ZJ4T2V7W9C5RBND' },
    mayBeRefused: true,
  })
  await ask('PUT /admin/claims/{subject}', { token, params: { subject: userId } })
  await ask('DELETE /admin/claims/{subject}', { token, params: { subject: userId } })
  await manageWebhooks(ask, token)
}

async function manageWebhooks(ask: Stage['ask'], token: string): Promise<void> {
  const created = await ask('POST /admin/webhooks', {
    token,
    body: { url: `https://receiver.example.com/${randomUUID()}`, types: ['user.deleted'] },
  })
  const params = { id: text(created, 'id') }
  await ask('GET /admin/webhooks', { token })
  await ask('GET /admin/webhooks/{id}', { token, params })
  await ask('PATCH /admin/webhooks/{id}', { token, params, body: { status: 'DISABLED' } })
  await ask('POST /admin/webhooks/{id}/rotate', { token, params })
  await ask('POST /admin/webhooks/{id}/test', { token, params })
  const deliveries = await ask('GET /admin/webhooks/{id}/deliveries', { token, params })
  await ask('POST /admin/webhooks/{id}/deliveries/{deliveryId}/redeliver', {
    token,
    params: { ...params, deliveryId: text(deliveries, 'items', '0', 'id') },
  })
  await ask('DELETE /admin/webhooks/{id}', { token, params })
}
