import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import * as z from 'zod'
import { DEMO_AGENTS, DEMO_PASSWORD, type DemoAgent } from './demo-data.ts'

const Registered = z.object({ accessToken: z.string(), user: z.object({ id: z.string() }) })
const Created = z.object({ id: z.string() })

/**
 * Fills a stack with demo data by calling its own API, as people would. Does so once for each data directory, so that
 * deleted demo data stays deleted.
 */
export async function seedDemo(
  publicUrl: string,
  administratorToken: string,
  directory: string,
): Promise<void> {
  const marker = join(directory, 'demo-data')
  if (await readFile(marker).catch(() => undefined)) return
  // Before the data is made: a second attempt after a failure would find its addresses taken.
  await writeFile(marker, 'Made once; npm run reset makes it again.\n')
  for (const agent of DEMO_AGENTS) await seedAgent(publicUrl, administratorToken, agent)
}

async function seedAgent(publicUrl: string, administratorToken: string, agent: DemoAgent): Promise<void> {
  const send = sender(publicUrl)
  const { email, name, profile, verified, listings } = agent
  const registered = await send('POST', '/auth/register', { body: { email, name, password: DEMO_PASSWORD } })
  const { accessToken: token, user } = Registered.parse(registered)
  await proveEmail(send, email)
  await send('PUT', '/auth/profile/agent', { token, body: profile })
  const kycStatus = verified ? 'VERIFIED' : 'PENDING'
  await send('PATCH', '/auth/kyc', { token: administratorToken, body: { userId: user.id, kycStatus } })
  for (const { photo, published, draft } of listings) {
    const { id } = Created.parse(await send('POST', '/listings', { token, body: draft }))
    const form = new FormData()
    form.append('file', new Blob([await readFile(join(import.meta.dirname, photo))]), photo)
    await send('POST', `/listings/${id}/media`, { token, body: form })
    while (isProcessing(await send('GET', `/listings/${id}`, { token }))) await wait(100)
    await send('POST', `/listings/${id}/submit`, { token })
    if (!published) continue
    const body = { status: 'PUBLISHED' }
    await send('PATCH', `/listings/${id}/moderate`, { token: administratorToken, body })
  }
}

const Mailed = z.object({ items: z.array(z.object({ text: z.string() })) })

/** Follows the link that verifies an address as soon as its mail has come. */
async function proveEmail(send: Send, email: string): Promise<void> {
  for (;;) {
    const { items } = Mailed.parse(await send('GET', `/local/mail?to=${encodeURIComponent(email)}`))
    const [token] = items.flatMap(({ text }) => /[?&]token=([\w.-]+)/.exec(text)?.[1] ?? [])
    if (token !== undefined) {
      await send('POST', '/auth/email/verify', { body: { token } })
      return
    }
    await wait(100)
  }
}

const Pictured = z.object({ media: z.array(z.object({ status: z.string() })) })

const isProcessing = (listing: unknown): boolean =>
  Pictured.parse(listing).media.some(({ status }) => status === 'PROCESSING')

type Sent = { token?: string; body?: unknown }
type Send = (method: string, path: string, sent?: Sent) => Promise<unknown>

const sender =
  (publicUrl: string): Send =>
  async (method, path, { token, body } = {}) => {
    const isForm = body instanceof FormData
    const response = await fetch(`${publicUrl}${path}`, {
      method,
      headers: {
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
        ...(!isForm && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: isForm ? body : JSON.stringify(body) }),
    })
    const answer = await response.text()
    if (!response.ok) throw new Error(`The demo data could not be made: ${method} ${path} answered ${answer}`)
    return answer === '' ? undefined : JSON.parse(answer)
  }
