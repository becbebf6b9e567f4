import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { Webhook } from 'standardwebhooks'

/** What everyone of this marketplace signs in with. */
export const PASSWORD = 'a quiet harbour at dusk'

const DEMO = join(import.meta.dirname, '../../lib/local/demo')

/** What a stranger types who wants a page to run it. */
export const HOSTILE = `<img src=x onerror="document.title='owned'"><script>document.title='owned'</script>`

type Json = Record<string, unknown>
type Sent = { token?: string; body?: unknown; headers?: Record<string, string> }

/** Sends a request to a started stack, as any client does. Throws where it is refused. */
export const clientOf =
  (url: string) =>
  async (method: string, path: string, { token, body, headers }: Sent = {}): Promise<Json> => {
    const isForm = body instanceof FormData || body instanceof URLSearchParams
    const response = await fetch(new URL(path, url), {
      method,
      redirect: 'manual',
      headers: {
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
        ...(body !== undefined && !isForm && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: isForm ? body : JSON.stringify(body) }),
    })
    const text = await response.text()
    if (response.status >= 400) throw new Error(`${method} ${path} answered ${response.status} ${text}`)
    return text.startsWith('{') ? JSON.parse(text) : {}
  }

type Send = ReturnType<typeof clientOf>

/** Asks until something is there, for at most ten seconds. */
export async function eventually<T>(ask: () => Promise<T | undefined>): Promise<T> {
  for (let tries = 0; tries < 100; tries++) {
    const found = await ask().catch(() => undefined)
    if (found !== undefined) return found
    await wait(100)
  }
  throw new Error('It did not come within ten seconds')
}

/** A picture that no other has the bytes of. */
const picture = async (file: string | Buffer): Promise<Blob> => {
  const bytes = typeof file === 'string' ? await readFile(join(DEMO, file)) : file
  return new Blob([new Uint8Array(bytes), randomUUID()], { type: 'image/jpeg' })
}

export type Person = { id: string; token: string; name: string; email: string }

/** Registers a person and proves their address. */
export async function person(send: Send, name: string, language = 'en'): Promise<Person> {
  const email = `${randomUUID()}@example.com`
  const registered = await send('POST', '/auth/register', {
    body: { email, name, password: PASSWORD },
    headers: { 'accept-language': language },
  })
  const { accessToken: token, user } = registered as unknown as { accessToken: string; user: { id: string } }
  const proof = await eventually(async () => {
    const { items } = (await send('GET', `/local/mail?to=${email}`)) as unknown as {
      items: { text: string }[]
    }
    return items.flatMap(({ text }) => /[?&]token=([\w.-]+)/.exec(text)?.[1] ?? [])[0]
  })
  await send('POST', '/auth/email/verify', { body: { token: proof } })
  return { id: user.id, token, name, email }
}

/** Makes a person an agent who has handed in two documents. */
export async function waitingAgent(send: Send, agent: Person): Promise<void> {
  const { token, name } = agent
  await send('PUT', '/auth/profile/agent', { token, body: { displayName: `${name} Homes`, agency: name } })
  for (const [type, file] of [
    ['passport', 'flat.jpg'],
    ['selfie', 'house.jpg'],
  ] as const) {
    const form = new FormData()
    form.append('type', type)
    form.append('file', await picture(file), 'document.jpg')
    await send('POST', '/auth/kyc/documents', { token, body: form })
  }
}

const PLACE = { country: 'CI', city: 'Abidjan', district: 'Cocody', lat: 5.3261, lng: -4.0197 }

/** Hands a listing in and answers its id. A small picture saves a third of what a listing costs. */
export async function waitingListing(
  send: Send,
  { token }: Person,
  title: string,
  file: string | Buffer = 'house.jpg',
): Promise<string> {
  const { id } = (await send('POST', '/listings', {
    token,
    body: {
      offer: 'rent',
      category: 'house',
      title,
      description: 'Three bedrooms, a terrace and the water at the door.',
      price: { amount: 450_000, currency: 'XOF' },
      location: PLACE,
      bedrooms: 3,
      areaSqm: 140,
      features: ['terrace', 'water view'],
    },
  })) as unknown as { id: string }
  await addPicture(send, token, id, file)
  await send('POST', `/listings/${id}/submit`, { token })
  return id
}

/** Adds a picture to a listing and waits until it is drawn. */
export async function addPicture(
  send: Send,
  token: string,
  id: string,
  file: string | Buffer,
): Promise<void> {
  const form = new FormData()
  form.append('file', await picture(file), 'picture.jpg')
  await send('POST', `/listings/${id}/media`, { token, body: form })
  await eventually(async () => {
    const { media } = (await send('GET', `/listings/${id}`, { token })) as unknown as {
      media: { status: string }[]
    }
    return media.every(({ status }) => status === 'READY') ? true : undefined
  })
}

type Unpaid = { id: string; checkout: { url: string } }

/** Begins a payment that nobody pays yet. */
export const openPayment = async (send: Send, { token }: Person, listingId: string): Promise<Unpaid> =>
  (await send('POST', '/payments', {
    token,
    headers: { 'idempotency-key': randomUUID() },
    body: { provider: 'sandbox', amount: 150_000, currency: 'XOF', purpose: 'rent', listingId },
  })) as unknown as Unpaid

/** Pays a sum through the sandbox's page, and presses what else is named there; answers the payment's id. */
export async function payment(
  send: Send,
  payer: Person,
  listingId: string,
  more: readonly string[] = [],
): Promise<string> {
  const { id, checkout } = await openPayment(send, payer, listingId)
  for (const action of ['pay', ...more])
    await send('POST', checkout.url, { body: new URLSearchParams({ action }) })
  return id
}

/** Delivers a success of a payment that the service does not know, signed as the sandbox signs. */
export async function unmatchedCallback(url: string, secret: string, amount: number): Promise<void> {
  const now = new Date()
  const id = `msg_${randomUUID()}`
  const data = {
    id: `sbx_${randomUUID()}`,
    reference: `sbx_${randomUUID()}`,
    amount,
    currency: 'XOF',
    status: 'succeeded',
  }
  const body = JSON.stringify({ type: 'payment.succeeded', timestamp: now.toISOString(), data })
  const response = await fetch(`${url}/payments/callback/sandbox`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'webhook-id': id,
      'webhook-timestamp': `${Math.floor(now.getTime() / 1000)}`,
      'webhook-signature': new Webhook(secret).sign(id, now, body),
    },
    body,
  })
  if (!response.ok) throw new Error(`The callback was answered ${response.status} ${await response.text()}`)
}
