import { randomUUID } from 'node:crypto'
import { aCustomer, aListedHouse, sent } from '#test/support/enquiries'
import { consoleToken } from '#test/support/given'
import type { Visit } from './visit.ts'

/** Visits what a customer and an agent write to each other, and what they are notified of. */
export async function visitEnquiries(visit: Visit): Promise<void> {
  const [{ agent, listing }, customer] = [await aListedHouse(), await aCustomer()]
  const admin = { token: await consoleToken() }
  const { id }: { id: string } = await visit('POST /listings/{id}/enquiries', {
    token: customer.token,
    params: { id: listing },
    headers: { 'idempotency-key': randomUUID() },
    body: { message: 'Is it still free in June?' },
  })
  const params = { id }
  await visit('POST /enquiries/{id}/messages', { token: agent.token, params, body: { text: 'It is.' } })
  await visit('GET /enquiries', { token: agent.token })
  await visit('GET /enquiries/{id}', { token: agent.token, params })
  const upTo = (await sent(customer, id, 'May I see it?')).id
  await visit('POST /enquiries/{id}/read', { token: agent.token, params, body: { upTo } })
  await visit('PATCH /enquiries/{id}', { token: agent.token, params, body: { status: 'CLOSED' } })
  await visit('POST /enquiries/{id}/reports', { token: customer.token, params, body: { reason: 'spam' } })
  await visit('GET /admin/enquiries', admin)
  await visit('GET /admin/enquiries/{id}', { ...admin, params })
  const body = { outcome: 'DISMISSED', upTo: new Date().toISOString() }
  await visit('PATCH /admin/enquiries/{id}/reports', { ...admin, params, body })
}
