import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  addPicture,
  clientOf,
  eventually,
  type Person,
  person,
  waitingAgent,
  waitingListing,
} from '#test/console/marketplace'
import { freePort, type GuideProgram, guideProgram } from '#test/support/guide-program'
import { type StartedStack, startedStack } from '#test/support/started-stack'

const CHANGES = Number(process.env['CHANGES'] ?? 36)
const AGENTS = 3
const LISTINGS_EACH = 3
/** Access tokens live for ten minutes: agents sign in again after so many changes, and after a ban. */
const SIGNED_IN_FOR = 100
const CAUGHT_UP_WITHIN = 90_000

type Copied = { id: string; media: { id: string }[]; price: object }
type Shown = { items: Copied[]; nextCursor: string | null }
type Stock = { agent: Person; ids: string[] }

let stack: StartedStack
let send: ReturnType<typeof clientOf>
let program: GuideProgram
let copy: ChildProcess
let copyUrl: string
let settings: Record<string, string>
let admin: string
let reader: Person
const stocks: Stock[] = []

const among = <T>(list: readonly T[]): T => list[Math.floor(Math.random() * list.length)] as T
const shuffled = <T>(list: readonly T[]): T[] => [...list].sort(() => Math.random() - 0.5)
const moderate = (id: string, body: object) =>
  send('PATCH', `/listings/${id}/moderate`, { token: admin, body })
const decide = (userId: string, kycStatus: string) =>
  send('PATCH', '/auth/kyc', { token: admin, body: { userId, kycStatus } })
const setStatus = (userId: string, body: object) =>
  send('PATCH', `/admin/users/${userId}`, { token: admin, body })

async function signIn(agent: Person): Promise<void> {
  const body = { email: agent.email, password: 'a quiet harbour at dusk' }
  agent.token = String((await send('POST', '/auth/login', { body }))['accessToken'])
}

async function publish({ agent, ids }: Stock, title: string): Promise<void> {
  const id = await waitingListing(send, agent, title)
  await addPicture(send, agent.token, id, 'flat.jpg')
  await moderate(id, { status: 'PUBLISHED' })
  ids.push(id)
}

async function picturesOf({ token }: Person, id: string): Promise<string[]> {
  const { media } = (await send('GET', `/listings/${id}`, { token })) as unknown as Copied
  return media.map((picture) => picture.id)
}

/** What may change a public listing, each as often as it stands here. */
const CHANGE: ((stock: Stock, id: string, n: number) => Promise<unknown>)[] = [
  ({ agent: { token } }, id, n) =>
    send('PATCH', `/listings/${id}`, { token, body: { price: { amount: 400_000 + n, currency: 'XOF' } } }),
  ({ agent: { token } }, id, n) =>
    send('PATCH', `/listings/${id}`, {
      token,
      body: { title: `A house for the ${n}th time`, bedrooms: n % 9 },
    }),
  (_, id) => moderate(id, { status: 'PUBLISHED' }),
  (_, id) => moderate(id, { status: 'PUBLISHED' }),
  (_, id) => moderate(id, { status: 'REJECTED', reasons: ['other'] }),
  (_, id) => moderate(id, { status: 'SUSPENDED', reasons: ['other'] }),
  ({ agent: { token } }, id) =>
    send('PUT', `/listings/${id}/availability`, {
      token,
      body: { state: among(['AVAILABLE', 'UNDER_OFFER', 'TAKEN', 'PAUSED']) },
    }),
  ({ agent: { token } }, id) =>
    send('PUT', `/listings/${id}/availability`, { token, body: { state: 'AVAILABLE' } }),
  async ({ agent }, id) =>
    send('PATCH', `/listings/${id}/media`, {
      token: agent.token,
      body: { order: shuffled(await picturesOf(agent, id)) },
    }),
  async ({ agent }, id, n) =>
    send('PATCH', `/listings/${id}/media`, {
      token: agent.token,
      body: { captions: { [among(await picturesOf(agent, id))]: `Seen ${n}` } },
    }),
  async ({ agent }, id) =>
    send('DELETE', `/listings/${id}/media/${among(await picturesOf(agent, id))}`, { token: agent.token }),
  ({ agent }, id) => addPicture(send, agent.token, id, 'flat.jpg'),
  ({ agent: { token } }, id) => send('DELETE', `/listings/${id}/revision`, { token }),
  ({ agent: { token } }, id) =>
    send('PATCH', `/listings/${id}`, {
      token,
      body: {
        location: { country: 'CI', city: 'Abidjan', lat: 5.32, lng: -4.01, precision: 'approximate' },
      },
    }),
  (stock, id, n) =>
    among([
      async () => {
        await publish(stock, `A new house, the ${n}th`)
        await send('DELETE', `/listings/${id}`, { token: stock.agent.token })
        stock.ids.splice(stock.ids.indexOf(id), 1)
      },
      async () => {
        await decide(stock.agent.id, among(['PENDING', 'EXPIRED']))
        if (Math.random() < 0.5) await picturesOf(stock.agent, id)
        await decide(stock.agent.id, 'VERIFIED')
      },
      async () => {
        await setStatus(stock.agent.id, { status: 'BANNED', reason: 'A test' })
        await setStatus(stock.agent.id, { status: 'ACTIVE' })
        await signIn(stock.agent)
      },
    ])(),
]

/** Changes what a customer may see, `count` times; what the service refuses does not count. */
async function change(count: number): Promise<void> {
  for (let done = 0; done < count; ) {
    if (done % SIGNED_IN_FOR === 0) for (const { agent } of stocks) await signIn(agent)
    const stock = among(stocks)
    const accepted = await among(CHANGE)(stock, among(stock.ids), done).then(
      () => true,
      ({ message }: Error) => {
        if (!/ answered 4\d\d /.test(message)) throw new Error(message)
        return false
      },
    )
    if (accepted) done += 1
  }
}

async function publicListings(): Promise<Copied[]> {
  await signIn(reader)
  const items: Copied[] = []
  for (let cursor: string | null = ''; cursor !== null; ) {
    const query = new URLSearchParams({ limit: '100', ...(cursor && { cursor }) })
    const page = (await send('GET', `/listings?${query}`, { token: reader.token })) as unknown as Shown
    items.push(...page.items)
    cursor = page.nextCursor
  }
  return byId(items)
}

const byId = (items: Copied[]): Copied[] => items.toSorted((one, other) => (one.id < other.id ? -1 : 1))

const copied = async (): Promise<Copied[]> => {
  const answer = await fetch(copyUrl)
  return byId((await answer.json()) as Copied[])
}

/** Kills the copy as a machine that fails does: it has no time to store anything. */
async function kill(): Promise<void> {
  copy.kill('SIGKILL')
  await once(copy, 'exit')
}

beforeAll(async () => {
  stack = await startedStack(6_200 + (process.pid % 1_000), { demoData: false })
  send = clientOf(stack.url)
  admin = (await stack.run('npm run --silent token')).trim()
  reader = await person(send, 'Rita')
  for (let agents = 0; agents < AGENTS; agents += 1) {
    const stock = { agent: await person(send, among(['Awa', 'Kofi', 'Ines'])), ids: [] }
    await waitingAgent(send, stock.agent)
    await decide(stock.agent.id, 'VERIFIED')
    for (let n = 0; n < LISTINGS_EACH; n += 1) await publish(stock, `A house by the water, the ${n}th`)
    stocks.push(stock)
  }
  program = await guideProgram('copy')
  const port = await freePort()
  copyUrl = `http://localhost:${port}/`
  const types = /"types": (\[[^\]]+\])/.exec(program.markdown)?.[1] ?? ''
  const webhook = await send('POST', '/admin/webhooks', {
    token: admin,
    body: { url: copyUrl, types: JSON.parse(types), description: 'A copy' },
  })
  const [, payload = ''] = admin.split('.')
  settings = {
    API: stack.url,
    ISSUER: JSON.parse(Buffer.from(payload, 'base64url').toString()).iss,
    CLIENT_ID: 'machine-integrations',
    CLIENT_SECRET: 'local',
    WEBHOOK_SECRET: String(webhook['secret']),
    PORT: `${port}`,
    CATCH_UP_SECONDS: '3',
  }
  copy = program.start(settings)
})
afterAll(async () => {
  copy?.kill()
  await program?.remove()
  await stack?.stop()
})

describe('the copy of the guide', () => {
  it('holds what is public when it began', async () => {
    const listed = await publicListings()
    expect(listed).toHaveLength(AGENTS * LISTINGS_EACH)
    await eventually(async () => ((await copied()).length === listed.length ? true : undefined))
    expect(await copied()).toEqual(listed)
  })

  it('shows a change when its webhook comes, before the list of events holds it', async () => {
    const [{ agent, ids }] = stocks as [Stock]
    const price = { amount: 1_234_567, currency: 'XOF' }
    await send('PATCH', `/listings/${ids[0]}`, { token: agent.token, body: { price } })
    const shown = async () => (await copied()).find(({ id }) => id === ids[0])?.price
    await expect.poll(shown, { timeout: 8_000 }).toEqual(price)
  })

  it(`equals the public answers after ${CHANGES} random changes, a third of them while it is down`, {
    timeout: 120_000 + CHANGES * 3_000,
  }, async () => {
    const third = Math.ceil(CHANGES / 3)
    await change(third)
    await kill()
    await change(third)
    copy = program.start(settings)
    await change(CHANGES - 2 * third)
    const [stock] = stocks as [Stock]
    await signIn(stock.agent)
    await publish(stock, 'The last house of all')
    const isEqual = async () => {
      const [held, listed] = [await copied(), await publicListings()]
      return JSON.stringify(held) === JSON.stringify(listed)
    }
    await expect
      .poll(isEqual, { timeout: CAUGHT_UP_WITHIN, interval: 1_000 })
      .toBe(true)
      .catch(async () => expect(await copied()).toEqual(await publicListings()))
    expect((await copied()).map(({ id }) => id)).toContain(stock.ids.at(-1))
  })
})
