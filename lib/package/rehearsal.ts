import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Route } from '#lib/http/route'
import { signStandardWebhook } from '#lib/payments/standard-webhooks'
import type { Request } from './http-event.ts'

/** How a rehearsal reaches the functions, however they run. */
export type Stage = {
  /** Sends a request to the function of this route and answers with the parsed body. Throws above 399. */
  ask: (route: Route, request?: Request) => Promise<unknown>
  /** Starts a job with an event. */
  run: (job: string, event: unknown) => Promise<unknown>
  consoleToken: string
  webhookSecret: string
}

const PICTURE = join(import.meta.dirname, '../local/demo/house.jpg')
const PASSWORD = 'a quiet harbour at dusk'
const NO_RECORDS = { Records: [] }

/**
 * One request to every function, in an order in which each of them succeeds: what V8 compiles for it is the
 * bytecode that is shipped, and what the cold start bench measures. It may be repeated on the same table.
 */
export async function rehearse(stage: Stage): Promise<void> {
  await rehearseService(stage)
  const agent = await rehearseAccounts(stage)
  await rehearseIdentity(stage, agent)
  const listingId = await rehearseListings(stage, agent)
  await rehearsePayments(stage, agent.token, listingId)
  await rehearseAdministration(stage, agent)
  await rehearseJobs(stage)
  await rehearseLeaving(stage, agent)
}

type Agent = { userId: string; token: string; earlierSessionId: string }

async function rehearseService({ ask }: Stage): Promise<void> {
  await ask('GET /health')
  await ask('GET /.well-known/jwks.json')
  await ask('GET /openapi.json')
  await ask('$default', { method: 'OPTIONS', path: '/listings' })
}

async function rehearseAccounts({ ask }: Stage): Promise<Agent> {
  const email = `agent-${randomUUID()}@example.com`
  const registered = await ask('POST /auth/register', {
    body: { email, password: PASSWORD, name: 'Awa Koné' },
  })
  const userId = text(registered, 'user', 'id')
  const earlier = await ask('GET /auth/sessions', { token: text(registered, 'accessToken') })
  await ask('POST /auth/refresh', { body: { refreshToken: text(registered, 'refreshToken') } })
  const signedIn = await ask('POST /auth/login', { body: { email, password: PASSWORD } })
  const token = text(signedIn, 'accessToken')
  await ask('GET /auth/profile', { token })
  await ask('PUT /auth/profile/agent', { token, body: { displayName: 'Awa Immobilier', agency: 'Awa & Co' } })
  await ask('GET /auth/profile/agent', { token })
  return { userId, token, earlierSessionId: text(earlier, 'items', '0', 'id') }
}

async function rehearseIdentity({ ask, consoleToken }: Stage, { userId, token }: Agent): Promise<void> {
  await ask('POST /auth/kyc/documents', { token, body: await form({ type: 'passport' }) })
  await ask('GET /auth/kyc', { token })
  await ask('GET /admin/kyc', { token: consoleToken })
  await ask('GET /admin/kyc/{userId}', { token: consoleToken, params: { userId } })
  await ask('PATCH /auth/kyc', { token: consoleToken, body: { userId, kycStatus: 'VERIFIED' } })
  await ask('GET /agents/{userId}', { params: { userId } })
}

async function rehearseListings({ ask, run, consoleToken }: Stage, { token }: Agent): Promise<string> {
  const listing = await ask('POST /listings', { token, body: LISTING })
  const params = { id: text(listing, 'id') }
  const picture = await form({ caption: 'From the water' })
  const uploaded = await ask('POST /listings/{id}/media', { token, params, body: picture })
  await run('processMedia', arrived(`originals/${params.id}/${text(uploaded, 'items', '0', 'id')}`))
  await ask('POST /listings/{id}/submit', { token, params })
  await ask('PATCH /listings/{id}/moderate', { token: consoleToken, params, body: { status: 'PUBLISHED' } })
  await ask('GET /listings/{id}', { params })
  return params.id
}

async function rehearsePayments({ ask, webhookSecret }: Stage, token: string, listingId: string) {
  const payment = await ask('POST /payments', {
    token,
    headers: { 'idempotency-key': randomUUID() },
    body: { provider: PROVIDER, amount: 450_000, currency: 'XOF', purpose: 'deposit', listingId },
  })
  const id = text(payment, 'id')
  const data = { id: randomUUID(), reference: id, amount: 450_000, currency: 'XOF', status: 'succeeded' }
  const body = { type: 'payment.succeeded', timestamp: new Date().toISOString(), data }
  const headers = signStandardWebhook(webhookSecret, {
    id: `msg_${randomUUID()}`,
    sentAtSeconds: Math.floor(Date.now() / 1000),
    rawBody: Buffer.from(JSON.stringify(body)),
  })
  await ask('POST /payments/callback/{provider}', { params: { provider: PROVIDER }, headers, body })
  await ask('GET /payments/{id}', { token, params: { id } })
}

async function rehearseAdministration({ ask, consoleToken }: Stage, { userId }: Agent): Promise<void> {
  await ask('GET /admin/users', { token: consoleToken })
  await ask('PATCH /admin/users/{id}', {
    token: consoleToken,
    params: { id: userId },
    body: { status: 'ACTIVE' },
  })
}

async function rehearseJobs({ run }: Stage): Promise<void> {
  await run('publishEvents', NO_RECORDS)
  await run('followStanding', NO_RECORDS)
  await run('publishMedia', NO_RECORDS)
  await run('expireKyc', {})
}

async function rehearseLeaving({ ask }: Stage, { token, earlierSessionId }: Agent): Promise<void> {
  await ask('DELETE /auth/sessions/{id}', { token, params: { id: earlierSessionId } })
  await ask('POST /auth/logout', { token, body: {} })
}

const PROVIDER = 'standard-webhooks'

const LISTING = {
  offer: 'rent',
  category: 'house',
  title: 'House by the lagoon',
  description: 'Three bedrooms, a terrace and the water at the door.',
  price: { amount: 450_000, currency: 'XOF' },
  location: { country: 'CI', city: 'Abidjan', lat: 5.3261, lng: -4.0197 },
  bedrooms: 3,
}

/** What S3 tells of an object that has arrived. */
const arrived = (key: string) => ({ Records: [{ eventName: 'ObjectCreated:Put', s3: { object: { key } } }] })

/** A form with a picture that no other has the bytes of. */
async function form(fields: Readonly<Record<string, string>>): Promise<FormData> {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.append(name, value)
  form.append('file', new Blob([await readFile(PICTURE), randomUUID()], { type: 'image/jpeg' }), 'house.jpg')
  return form
}

/** A text in an answer, by its path. */
function text(answer: unknown, ...path: readonly string[]): string {
  const found = path.reduce<unknown>(
    (value, name) => (value as Record<string, unknown> | undefined)?.[name],
    answer,
  )
  if (typeof found !== 'string') throw new Error(`The answer has no ${path.join('.')}`)
  return found
}
