import type { ChildProcess } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { clientOf, eventually } from '#test/console/marketplace'
import { addAuthenticator, openBrowser } from '#test/support/browser'
import { codeOf } from '#test/support/factors'
import { freePort, type GuideProgram, guideModules, guideProgram } from '#test/support/guide-program'
import { type StartedStack, startedStack } from '#test/support/started-stack'

// The modules of the guide on a page of another origin than the service's, which a Chromium uses as people would.

const PAGES = join(import.meta.dirname, 'front-end')
const HOUSE = join(import.meta.dirname, '../../lib/local/demo/house.jpg')
const FLAT = join(import.meta.dirname, '../../lib/local/demo/flat.jpg')
const PASSWORD = 'a quiet harbour at dusk'

let stack: StartedStack
let send: ReturnType<typeof clientOf>
let admin: string
let browser: Browser
let server: Server
let origin: string
let modules: Map<string, string>
let agentPage: Page
let customerPage: Page
let agentId: string
/** What a browser says that it did not do, or does not let a page see. */
const refusedByBrowser: string[] = []
let listingId: string
const agent = { email: 'awa@example.com', password: PASSWORD }
const customer = { email: 'kofi@example.com', password: PASSWORD }

type Shown = Record<string, unknown> & { body?: { id?: string } }

/** What the front end serves: a module of the guide, a file of the test, or its one page. */
async function served(path: string): Promise<{ type: string; text: string }> {
  const name = path.slice(1)
  const code = modules.get(name)
  if (code) return { type: 'text/javascript', text: code.replaceAll('http://localhost:3000', stack.url) }
  const isScript = name.endsWith('.js')
  const text = await readFile(join(PAGES, isScript ? name : 'index.html'), 'utf8')
  return { type: isScript ? 'text/javascript' : 'text/html', text }
}

/** Fills a form of the page in, sends it and answers what the page then shows. */
async function does(page: Page, form: string, values: Record<string, string> = {}): Promise<Shown> {
  await submit(page, form, values)
  return shown(page)
}

async function submit(page: Page, form: string, values: Record<string, string>): Promise<void> {
  for (const [name, value] of Object.entries(values)) await page.fill(`#${form} [name=${name}]`, value)
  await page.evaluate(`document.querySelector('output').textContent = ''`)
  await page.click(`#${form} button`)
}

async function shown(page: Page): Promise<Shown> {
  const text = await page.waitForFunction(`document.querySelector('output').textContent`)
  return JSON.parse(String(await text.jsonValue()))
}

/** The id of what an answer shows. */
const idOf = ({ body }: Shown): string => String(body?.id)

/** Answers the form that asks who is there, once it is open. */
async function proves(page: Page, values: { password?: string; code?: string } = {}): Promise<string> {
  await page.waitForSelector('#proof[open]')
  const methods = await page.textContent('#answerProof p')
  for (const [name, value] of Object.entries(values)) await page.fill(`#answerProof [name=${name}]`, value)
  await page.click('#answerProof button')
  return String(methods)
}

async function upload(page: Page, form: string, files: string[]): Promise<Shown> {
  await page.setInputFiles(`#${form} [name=files]`, files)
  return does(page, form, { id: listingId })
}

const mailedLink = (email: string) =>
  eventually(async () => {
    const { items } = (await send('GET', `/local/mail?to=${email}`)) as unknown as {
      items: { text: string }[]
    }
    return items.flatMap(({ text }) => /http:\/\/localhost:\d+\/verify\?token=[\w.-]+/.exec(text) ?? [])[0]
  })

/** A person's own browser. */
async function aBrowser(): Promise<{ context: BrowserContext; page: Page }> {
  const context = await browser.newContext({ locale: 'en-GB' })
  const page = await context.newPage()
  page.on('console', (message) => {
    if (/unsafe header|CORS|Content Security/.test(message.text())) refusedByBrowser.push(message.text())
  })
  await page.goto(origin)
  return { context, page }
}

beforeAll(async () => {
  modules = await guideModules('front-end')
  server = createServer(async (request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost')
    const { type, text } = await served(pathname)
    response.writeHead(200, { 'content-type': type, 'cache-control': 'no-store' }).end(text)
  })
  await new Promise<void>((resolve) => void server.listen(0, 'localhost', resolve))
  origin = `http://localhost:${(server.address() as AddressInfo).port}`
  ;[stack, browser] = await Promise.all([
    startedStack(7_300 + (process.pid % 1_000), {
      demoData: false,
      variables: { EMAIL_VERIFICATION_URL: `${origin}/verify` },
    }),
    openBrowser(),
  ])
  send = clientOf(stack.url)
  admin = (await stack.run('npm run --silent token')).trim()
})
afterAll(async () => {
  await browser?.close()
  server?.close()
  await stack?.stop()
})

describe('the front end of the guide, from another origin', () => {
  it('signs people up, and proves their addresses by the button of the page that the mail opens', async () => {
    agentPage = (await aBrowser()).page
    customerPage = (await aBrowser()).page
    for (const [page, person, name] of [
      [agentPage, agent, 'Awa Koné'],
      [customerPage, customer, 'Kofi Mensah'],
    ] as const) {
      await does(page, 'register', { ...person, name })
      await page.goto(await mailedLink(person.email))
      expect(await does(page, 'profile')).toMatchObject({ name, emailVerified: false })
      await does(page, 'verify')
      expect(await does(page, 'profile')).toMatchObject({ name, emailVerified: true })
    }
    await does(agentPage, 'becomeAgent', { displayName: 'Awa Homes' })
    agentId = String((await does(agentPage, 'profile'))['id'])
    await send('PATCH', '/auth/kyc', { token: admin, body: { userId: agentId, kycStatus: 'VERIFIED' } })
  })

  it('names what is wrong with a form by its field', async () => {
    const refused = await does(agentPage, 'draft', { title: 'No', amount: '450000' })
    expect(refused).toMatchObject({ code: 'validation_failed', errors: [{ path: 'title' }] })
  })

  it('drafts a listing with pictures both ways, and says how far an upload is', async () => {
    listingId = idOf(await does(agentPage, 'draft', { title: 'House by the water', amount: '450000' }))
    const small = await upload(agentPage, 'addPictures', [HOUSE])
    expect(small).toMatchObject({ sent: [{ kind: 'image' }], media: [{ status: 'READY' }] })
    const large = await upload(agentPage, 'addFile', [FLAT])
    const { heard, media } = large as unknown as { heard: number[]; media: { sha256: string }[] }
    expect(media).toMatchObject([{ status: 'READY' }, { status: 'READY' }])
    expect(media.map(({ sha256 }) => sha256)).toContain(
      createHash('sha256')
        .update(await readFile(FLAT))
        .digest('hex'),
    )
    expect(heard).toEqual(heard.toSorted((one, other) => one - other))
    expect([heard.length > 2, heard.at(-1)]).toEqual([true, 1])
    expect(refusedByBrowser).toEqual([])
    expect((await does(agentPage, 'submitListing', { id: listingId }))['body']).toMatchObject({
      status: 'PENDING_REVIEW',
    })
    await send('PATCH', `/listings/${listingId}/moderate`, { token: admin, body: { status: 'PUBLISHED' } })
  })

  it('shows its agent a new price at once, and tells them where somebody was faster', async () => {
    await does(agentPage, 'open', { id: listingId })
    const second = await agentPage.context().newPage()
    await second.goto(origin)
    await does(second, 'open', { id: listingId })
    const changed = await does(agentPage, 'changePrice', { amount: '430000' })
    expect(changed['body']).toMatchObject({ price: { amount: 430_000 } })
    expect((await does(agentPage, 'open', { id: listingId }))['tag']).toBe(changed['tag'])
    expect(await does(second, 'changePrice', { amount: '420000' })).toMatchObject({
      code: 'version_conflict',
    })
    await second.close()
  })

  it('is searched page by page by who has not signed in', async () => {
    for (const title of ['Villa by the water', 'Studio by the water']) {
      listingId = idOf(await does(agentPage, 'draft', { title, amount: '300000' }))
      await upload(agentPage, 'addPictures', [HOUSE])
      await does(agentPage, 'submitListing', { id: listingId })
      await send('PATCH', `/listings/${listingId}/moderate`, { token: admin, body: { status: 'PUBLISHED' } })
    }
    const { page, context } = await aBrowser()
    const first = await does(page, 'search', { q: 'water', limit: '2' })
    expect([first['items'], first['total']]).toMatchObject([
      [{ title: 'Studio by the water' }, { title: 'Villa by the water' }],
      3,
    ])
    expect(await does(page, 'more')).toMatchObject({
      items: [{ title: 'House by the water' }],
      nextCursor: null,
    })
    await context.close()
  })

  it('brings an enquiry to a payment and back, and tells both sides', async () => {
    const asked = await does(customerPage, 'ask', { id: listingId, message: 'Is it still free?' })
    const enquiryId = idOf(asked)
    await does(agentPage, 'answer', { id: enquiryId, text: 'It is. The deposit keeps it for you.' })
    const requested = await does(agentPage, 'requestPayment', { id: listingId, enquiryId, amount: '90000' })
    const requestId = idOf(requested)
    await eventually(async () => {
      await customerPage.goto(origin)
      await customerPage.waitForSelector('#notifications li', { timeout: 2_000 })
      const told = await customerPage.textContent('#notifications')
      return told?.includes(requestId) ? true : undefined
    })
    expect(Number(await customerPage.textContent('#unread'))).toBeGreaterThan(0)
    await submit(customerPage, 'markRead', {})
    await customerPage.waitForFunction(`document.querySelector('#unread').textContent === '0'`)

    await submit(customerPage, 'pay', { id: requestId })
    await customerPage.waitForURL(/sandbox/)
    await customerPage.click('button:has-text("Pay")')
    await customerPage.waitForURL(`${origin}/paid?payment=*`)
    expect(await does(customerPage, 'returned')).toMatchObject({
      status: 'SUCCEEDED',
      amount: 90_000,
      paymentRequestId: requestId,
    })
    await eventually(async () => {
      await agentPage.goto(origin)
      await agentPage.waitForSelector('#notifications li', { timeout: 2_000 })
      const told = await agentPage.textContent('#notifications')
      return told?.includes(requestId) ? true : undefined
    })
  })

  it('keeps a session through five tabs that refresh at once', async () => {
    const tabs = await Promise.all(Array.from({ length: 5 }, () => customerPage.context().newPage()))
    await Promise.all(tabs.map((tab) => tab.goto(origin)))
    const answers = await Promise.all(tabs.map((tab) => does(tab, 'profile')))
    expect(answers.map(({ email }) => email)).toEqual(tabs.map(() => customer.email))
    expect(await does(customerPage, 'profile')).toMatchObject({ email: customer.email })
    await does(tabs[0] as Page, 'signOut')
    expect(await does(customerPage, 'profile')).toMatchObject({ code: 'unauthenticated' })
    await Promise.all(tabs.map((tab) => tab.close()))
  })

  it('signs in with an authenticator app, after a step-up that set it up', async () => {
    await submit(agentPage, 'beginApp', {})
    expect(await proves(agentPage, { password: PASSWORD })).toBe('password')
    const secret = String((await shown(agentPage))['secret'])
    const confirmed = await does(agentPage, 'confirmApp', { code: codeOf(secret) })
    expect(confirmed['recoveryCodes']).toHaveLength(10)
    await does(agentPage, 'signOut')
    await submit(agentPage, 'signIn', agent)
    // The code of the next 30 seconds: valid however slow the pages are, and not the one that is used already.
    expect(await proves(agentPage, { code: codeOf(secret, 30) })).toContain('totp')
    await shown(agentPage)
    expect(await does(agentPage, 'profile')).toMatchObject({ email: agent.email })
  })

  it('signs in with a passkey, as the second step and alone', async () => {
    await addAuthenticator(agentPage)
    expect(await does(agentPage, 'addPasskey', { name: 'Chromium' })).toMatchObject({
      passkey: { name: 'Chromium' },
    })
    await does(agentPage, 'signOut')
    await submit(agentPage, 'signIn', agent)
    expect(await proves(agentPage)).toContain('passkey')
    await shown(agentPage)
    expect(await does(agentPage, 'profile')).toMatchObject({ email: agent.email })
    await does(agentPage, 'signOut')
    expect(await does(agentPage, 'profile')).toMatchObject({ code: 'unauthenticated' })
    await does(agentPage, 'signInWithPasskey')
    expect(await does(agentPage, 'profile')).toMatchObject({ email: agent.email })
  })

  it('makes an API key that works, and shows it once', async () => {
    const made = await does(agentPage, 'makeKey', { name: 'Accounting', scope: 'listings:read' })
    const key = String(made['key'])
    const { items } = (await send('GET', '/auth/profile/listings', { token: key })) as { items: unknown[] }
    expect(items).toHaveLength(3)
    const listed = await does(agentPage, 'keys')
    expect(listed).toMatchObject([{ name: 'Accounting', last4: key.slice(-4) }])
    expect(JSON.stringify(listed)).not.toContain(key)
  })
})

describe('the SHA-256 of the guide', () => {
  it('is that of any file, whatever its length', async () => {
    const { page, context } = await aBrowser()
    const lengths = [0, 55, 56, 64, 4_194_303, 4_194_304, 4_200_000]
    for (const length of lengths) {
      const bytes = randomBytes(length)
      await page.evaluate(`window.input = document.createElement('input'); input.type = 'file'; input.id = 'any'
        document.querySelector('#any')?.remove(); document.body.append(input)`)
      await page.setInputFiles('#any', {
        name: 'any',
        mimeType: 'application/octet-stream',
        buffer: bytes,
      })
      const digest = await page.evaluate(
        `import('/sha256.js').then(({ sha256 }) => sha256(document.querySelector('#any').files[0], () => {}))`,
      )
      expect(digest, `${length} bytes`).toBe(createHash('sha256').update(bytes).digest('hex'))
    }
    await context.close()
  })
})

describe('the small server of the guide', () => {
  let program: GuideProgram
  let small: ChildProcess
  let between: Server
  let smallUrl: string
  let refusals = 0

  beforeAll(async () => {
    // Stands for the service, whose access tokens end early when it is told to.
    between = createServer(async (request, response) => {
      const body = await buffer(request)
      const isRefused = request.url === '/auth/profile' && refusals-- > 0
      const answer = await fetch(`${stack.url}${request.url}`, {
        method: request.method ?? 'GET',
        headers: {
          'content-type': 'application/json',
          authorization: isRefused ? 'Bearer ended' : (request.headers.authorization ?? ''),
        },
        ...(body.length > 0 && { body: Uint8Array.from(body) }),
      })
      const type = answer.headers.get('content-type')
      response.writeHead(answer.status, type === null ? {} : { 'content-type': type })
      response.end(Buffer.from(await answer.arrayBuffer()))
    })
    await new Promise<void>((resolve) => void between.listen(0, 'localhost', resolve))
    program = await guideProgram('front-end', 'server.js')
    const port = await freePort()
    smallUrl = `http://localhost:${port}`
    small = program.start({
      API: `http://localhost:${(between.address() as AddressInfo).port}`,
      PORT: `${port}`,
      PAGES,
    })
    await eventually(() => fetch(smallUrl))
  })
  afterAll(async () => {
    small?.kill()
    between?.close()
    await program?.remove()
  })

  /** What a script of its pages asks, and is answered. */
  const asks = (page: Page, method: string, path: string, body?: unknown): Promise<Shown> =>
    page.evaluate(`fetch('/api${path}', {
      method: '${method}', headers: { 'content-type': 'application/json' },
      body: ${body === undefined ? 'undefined' : `'${JSON.stringify(body)}'`},
    }).then(async (answer) => ({ status: answer.status, text: await answer.text() }))`)

  it('signs a page in without showing it a token, and refreshes what has ended', async () => {
    const page = await (await browser.newContext()).newPage()
    await page.goto(smallUrl)
    const signedIn = await asks(page, 'POST', '/auth/login', customer)
    expect(signedIn['status']).toBe(200)
    expect(String(signedIn['text'])).not.toMatch(/accessToken|refreshToken/)
    expect(await page.evaluate('document.cookie')).toBe('')
    for (const ended of [0, 1]) {
      refusals = ended
      expect(JSON.parse(String((await asks(page, 'GET', '/auth/profile'))['text']))).toMatchObject({
        email: customer.email,
      })
    }
    expect((await asks(page, 'POST', '/auth/logout', {}))['status']).toBe(204)
    expect((await asks(page, 'GET', '/auth/profile'))['status']).toBe(401)
    await page.context().close()
  })

  it('refuses what a page of another origin sends with its cookie', async () => {
    const page = await (await browser.newContext()).newPage()
    await page.goto(smallUrl)
    await asks(page, 'POST', '/auth/login', customer)
    await page.goto(origin)
    const [answer] = await Promise.all([
      page.waitForResponse(`${smallUrl}/api/auth/logout`),
      page.evaluate(`fetch('${smallUrl}/api/auth/logout', {
        method: 'POST', mode: 'no-cors', credentials: 'include', body: '{}',
      }).then(() => undefined)`),
    ])
    expect(answer.status()).toBe(403)
    await page.goto(smallUrl)
    expect((await asks(page, 'GET', '/auth/profile'))['status']).toBe(200)
    await page.context().close()
  })
})
