import { setTimeout as wait } from 'node:timers/promises'
import { DEMO_AGENTS } from '#lib/local/demo/demo-data'
import type { Caller } from './callers.ts'
import type { FuzzAnswer } from './check-answer.ts'
import { type DescribedApi, isJson, type Json } from './described-api.ts'
import { isCarriedOut, type Judge } from './judge.ts'
import { type FuzzRequest, PICTURE } from './make-request.ts'
import { PASSWORD } from './make-values.ts'
import type { Place, Report } from './report.ts'

/** Sends a request and returns its answer, of one of `statuses`: 200 to 299 unless given. `{id}` of the route is replaced. */
export type Ask = (
  caller: Caller,
  route: string,
  options?: { id?: string; body?: unknown; statuses?: readonly number[] },
) => Promise<Json>

type People = { agent: Caller; customer: Caller; administrator: Caller }

const WAITS_MAX = 300
const WAIT_MILLISECONDS = 100
const REPEATS_MAX = 5
const REPEAT_MILLISECONDS = 1_000

type Deps = { api: DescribedApi; judge: Judge; nextPlace: () => Place; report: Report }

/** Returns what sends the steps of lives. A step that is answered otherwise is a finding, and ends the run. */
export const openAsk =
  ({ api, judge, nextPlace, report }: Deps): Ask =>
  async (caller, route, { id = '', body, statuses } = {}) => {
    const operation = api.operations.find((each) => each.route === route)
    if (!operation) throw new Error(`The document has no ${route}`)
    const place = nextPlace()
    const isForm = body instanceof FormData
    const takesKey = operation.parameters.some(({ name }) => name === 'Idempotency-Key')
    const request: FuzzRequest = {
      operation,
      caller,
      target: operation.path.replace('{id}', id),
      headers: {
        authorization: caller.authorization ?? '',
        ...(takesKey && { 'idempotency-key': `life-${place.number}` }),
        ...(body !== undefined && !isForm && { 'content-type': 'application/json' }),
      },
      body: isForm || body === undefined ? body : JSON.stringify(body),
    }
    const answer = await untilAvailable(() => judge(request, place))
    if (!(statuses?.includes(answer.status) ?? isCarriedOut(answer))) {
      report.note(place, request, answer, 'answers a step of a life otherwise')
      throw new Error('A life has ended')
    }
    const said: unknown = answer.text === '' ? {} : JSON.parse(answer.text)
    return isJson(said) ? said : {}
  }

/**
 * Plays a listing from its draft to its archive, with an enquiry, a payment request, a payment that is refunded in part,
 * and a customer who
 * leaves. What it leaves behind, later requests meet.
 */
export async function playLife(ask: Ask, { agent, customer, administrator }: People): Promise<void> {
  const [demo] = DEMO_AGENTS.flatMap(({ listings }) => listings)
  const listing = idOf(await ask(agent, 'POST /listings', { body: demo?.draft }))
  await ask(agent, 'POST /listings/{id}/media', { id: listing, body: pictureForm() })
  await waitUntil(async () => {
    const { media } = await ask(agent, 'GET /listings/{id}', { id: listing })
    return Array.isArray(media) && media.every((item) => isJson(item) && item['status'] === 'READY')
  })
  await ask(agent, 'POST /listings/{id}/submit', { id: listing })
  await ask(administrator, 'PATCH /listings/{id}/moderate', { id: listing, body: { status: 'PUBLISHED' } })
  const enquiry = idOf(
    await ask(customer, 'POST /listings/{id}/enquiries', { id: listing, body: { message: 'Is it free?' } }),
  )
  await ask(agent, 'POST /enquiries/{id}/messages', { id: enquiry, body: { text: 'It is.' } })
  const paymentRequest = idOf(
    await ask(agent, 'POST /listings/{id}/payment-requests', {
      id: listing,
      body: { enquiryId: enquiry, purpose: 'deposit', amount: 150_000 },
    }),
  )
  const payment = await ask(customer, 'POST /payments', {
    body: { provider: 'sandbox', paymentRequestId: paymentRequest },
  })
  await clickAt(JSON.stringify(payment), 'pay')
  const id = idOf(payment)
  await waitUntil(async () => (await ask(customer, 'GET /payments/{id}', { id }))['status'] === 'SUCCEEDED')
  await ask(administrator, 'POST /payments/{id}/refunds', {
    id,
    body: { amount: 50_000, reason: 'Keys late' },
  })
  await ask(agent, 'DELETE /listings/{id}', { id: listing })
  await ask(customer, 'DELETE /auth/profile', { body: { password: PASSWORD } })
}

/** Does at the sandbox's page of a payment what a payer or a bank does there. Does nothing where there is no page. */
export async function clickAt(payment: string, action: string): Promise<void> {
  const [, page] = /"url":"(http:\/\/localhost[^"]*sandbox[^"]*)"/.exec(payment) ?? []
  if (page === undefined) return
  await fetch(page, { method: 'POST', redirect: 'manual', body: new URLSearchParams({ action }) })
}

/** On a busy machine a function may run out of its time. */
async function untilAvailable(send: () => Promise<FuzzAnswer>, repeats = REPEATS_MAX): Promise<FuzzAnswer> {
  const answer = await send()
  if (answer.status !== 503 || repeats === 0) return answer
  await wait(REPEAT_MILLISECONDS)
  return untilAvailable(send, repeats - 1)
}

function pictureForm(): FormData {
  const form = new FormData()
  form.append('file', new Blob([PICTURE]), 'house.jpg')
  return form
}

const idOf = (answer: Json): string => String(answer['id'])

async function waitUntil(holds: () => Promise<boolean>): Promise<void> {
  for (let waits = 0; !(await holds()); waits += 1) {
    if (waits === WAITS_MAX) throw new Error('What a life waits for does not come')
    await wait(WAIT_MILLISECONDS)
  }
}
