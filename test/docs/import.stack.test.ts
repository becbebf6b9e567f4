import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { buffer, text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { clientOf, type Person, person } from '#test/console/marketplace'
import { type GuideProgram, guideProgram } from '#test/support/guide-program'
import { jpeg } from '#test/support/pictures'
import { type StartedStack, startedStack } from '#test/support/started-stack'

const ROWS = 40
const HALF = ROWS / 2
const IN_REVIEW = 30
/** Of this many requests one is answered 429, another 503, and the answer of a third is lost. */
const FAULTS_EVERY = 40
/** How many rows are imported again when nothing is new. */
const AGAIN = 20

type Row = { reference: string; price: object; [field: string]: unknown }
type Held = { id: string; reference: string; title: string; status: string; price: { amount: number } } & {
  media: unknown[]
  updatedAt: string
  bathrooms: number | null
}

let stack: StartedStack
let send: ReturnType<typeof clientOf>
let admin: string
let agent: Person
let key: string
let program: GuideProgram
let line: Server
let url: string
let requests = 0
let lineFails = true
let created = 0
const answered = new Map<string, number>()
/** Called for each answer of the service, before the import receives it. */
let onAnswer: (request: string, status: number) => void = () => {}
/** Called just before a request reaches the service. */
let beforehand: (request: string) => Promise<unknown> = async () => {}

const rows: Row[] = Array.from({ length: ROWS }, (_, n) => ({
  reference: `A-${n}`,
  offer: 'rent',
  category: 'house',
  title: `House number ${n} by the water`,
  description: 'Three rooms and a terrace, five minutes from the market.',
  price: { amount: 400_000 + n, currency: 'XOF' },
  location: { country: 'CI', city: 'Abidjan', district: 'Cocody' },
  features: ['terrace', 'garden'],
  pictures: ['front.jpg'],
}))

const count = (what: string) => answered.set(what, (answered.get(what) ?? 0) + 1)
const setLimits = (listingLimits: object) =>
  send('PATCH', `/admin/users/${agent.id}`, { token: admin, body: { listingLimits } })

/** Starts the line between the import and the service, which fails now and then. */
async function startLine(): Promise<void> {
  line = createServer(async (request, response) => {
    const named = `${request.method} ${request.url?.replace(/lst_\w+/, '{id}')}`
    const body = await buffer(request)
    requests += 1
    const fault = lineFails ? requests % FAULTS_EVERY : 0
    const refusal = { 7: 429, 17: 503 }[fault]
    if (refusal !== undefined) {
      response.writeHead(refusal, { 'retry-after': '1' }).end('{"message":"Not now"}')
      return
    }
    await beforehand(`${request.method} ${request.url}`)
    const headers = Object.entries(request.headers).filter(([name]) =>
      ['authorization', 'content-type', 'if-match'].includes(name),
    )
    const answer = await fetch(`${stack.url}${request.url}`, {
      method: request.method ?? 'GET',
      headers: headers as [string, string][],
      ...(body.length > 0 && { body: Uint8Array.from(body) }),
    })
    const bytes = Buffer.from(await answer.arrayBuffer())
    const { code } = JSON.parse(bytes.toString() || '{}') as { code?: string }
    count(code ?? `${answer.status}`)
    onAnswer(named, answer.status)
    const tag = answer.headers.get('etag')
    if (fault === 27) response.destroy()
    else response.writeHead(answer.status, tag === null ? {} : { etag: tag }).end(bytes)
  })
  await new Promise<void>((resolve) => void line.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(line.address() as AddressInfo).port}`
}

const start = () => program.start({ API: url, KEY: key }, join(program.folder, 'stock.json'))

/** Runs the import of the rows to its end, and returns its exit code and what it reports. */
async function imported(given: readonly Row[], times = 1): Promise<{ code: number; done: object }[]> {
  await writeFile(join(program.folder, 'stock.json'), JSON.stringify(given))
  const runs = Array.from({ length: times }, async () => {
    const run = start()
    const [said, [code]] = await Promise.all([run.stdout ? text(run.stdout) : '', once(run, 'exit')])
    return { code, done: JSON.parse(said || '{}') }
  })
  return Promise.all(runs)
}

async function held(): Promise<Held[]> {
  const items: Held[] = []
  for (let cursor: string | null = ''; cursor !== null; ) {
    const query = new URLSearchParams({ limit: '100', ...(cursor && { cursor }) })
    const page = (await send('GET', `/auth/profile/listings?${query}`, { token: key })) as unknown as {
      items: Held[]
      nextCursor: string | null
    }
    items.push(...page.items)
    cursor = page.nextCursor
  }
  return items
}

const versions = async () => new Map((await held()).map(({ id, updatedAt }) => [id, updatedAt]))

beforeAll(async () => {
  stack = await startedStack(5_100 + (process.pid % 1_000), { demoData: false })
  send = clientOf(stack.url)
  admin = (await stack.run('npm run --silent token')).trim()
  agent = await person(send, 'Awa Koné')
  await send('PUT', '/auth/profile/agent', { token: agent.token, body: { displayName: 'Awa Homes' } })
  await setLimits({ drafts: ROWS + 1, inReview: IN_REVIEW, files: 1_000 })
  const { accessToken: token } = await send('POST', '/auth/step-up', {
    token: agent.token,
    body: { password: 'a quiet harbour at dusk' },
  })
  const made = await send('POST', '/auth/api-keys', {
    token: String(token),
    body: { name: 'Stock', scopes: ['listings:write'] },
  })
  key = String(made['key'])
  program = await guideProgram('import')
  await writeFile(join(program.folder, 'front.jpg'), jpeg())
  await startLine()
})
afterAll(async () => {
  line?.close()
  await program?.remove()
  await stack?.stop()
})

describe('the import of the guide, over a line that fails', () => {
  it(`brings ${ROWS} listings, killed half way and started again twice at once`, {
    timeout: 400_000,
  }, async () => {
    await writeFile(join(program.folder, 'stock.json'), JSON.stringify(rows))
    const first = start()
    onAnswer = (request, status) => {
      if (request === 'POST /listings' && status === 201) created += 1
      if (created === HALF) first.kill('SIGKILL')
    }
    await once(first, 'exit')
    expect([created >= HALF, created < ROWS]).toEqual([true, true])
    const runs = await imported(rows, 2)
    expect(runs.map(({ code }) => code)).toEqual([1, 1])
    const listings = await held()
    expect(listings.map(({ reference }) => reference).toSorted()).toEqual(
      rows.map(({ reference }) => reference).toSorted(),
    )
    for (const { reference, title, price, media } of listings)
      expect({ reference, title, price, media: media.length }).toMatchObject({
        ...Object.fromEntries(
          Object.entries(rows.find((row) => row.reference === reference) ?? {}).filter(([name]) =>
            ['title', 'price'].includes(name),
          ),
        ),
        media: 1,
      })
    expect(created).toBe(ROWS)
    expect(answered.get('reference_taken')).toBeGreaterThanOrEqual(HALF)
  })

  it('submits in a later run what moderators had no room for', { timeout: 200_000 }, async () => {
    const inReview = async () => (await held()).filter(({ status }) => status === 'PENDING_REVIEW').length
    expect(await inReview()).toBe(IN_REVIEW)
    await setLimits({ drafts: ROWS, inReview: ROWS, files: 1_000 })
    expect(await imported(rows)).toMatchObject([{ code: 0, done: { same: ROWS, toSubmit: 0 } }])
    expect(await inReview()).toBe(ROWS)
  })

  it('changes nothing where nothing changed, and what did where somebody else changed it too', {
    timeout: 200_000,
  }, async () => {
    // A change whose answer is lost conflicts with itself, and is the same then.
    lineFails = false
    const before = await versions()
    const dearer = rows
      .slice(0, AGAIN)
      .map((row) => (row.reference === 'A-7' ? { ...row, price: { amount: 1, currency: 'XOF' } } : row))
    let isFirst = true
    beforehand = async (request) => {
      const [method, path = ''] = request.split(' ')
      if (method !== 'PATCH' || !isFirst) return
      isFirst = false
      await send('PATCH', path, { token: agent.token, body: { bathrooms: 9 } })
    }
    expect(await imported(dearer)).toMatchObject([{ code: 0, done: { same: AGAIN - 1, changed: 1 } }])
    expect(answered.get('version_conflict')).toBe(1)
    const listings = await held()
    expect(listings.find(({ reference }) => reference === 'A-7')).toMatchObject({
      price: { amount: 1 },
      bathrooms: 9,
    })
    const moved = listings.filter(({ id, updatedAt }) => before.get(id) !== updatedAt)
    expect(moved.map(({ reference }) => reference)).toEqual(['A-7'])
  })

  it('tells which row is wrong and goes on, and stops where there is no room', {
    timeout: 100_000,
  }, async () => {
    const [row] = rows as [Row]
    const wrong = { ...row, reference: 'B-1', title: 'No' }
    const good = { ...row, reference: 'B-2' }
    expect(await imported([wrong, good])).toMatchObject([
      { code: 1, done: { wrong: 1, new: 1, toSubmit: 1 } },
    ])
    await setLimits({ drafts: 1 })
    const [stopped] = await imported([{ ...row, reference: 'B-3' }])
    expect(stopped).toEqual({ code: 1, done: {} })
    expect(answered.get('draft_limit_reached')).toBe(1)
  })
})
