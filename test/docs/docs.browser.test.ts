import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { readGuides } from '#lib/docs/guide-list'
import { accessibilityFindings, type Finding, findingsWithout } from '#test/support/accessibility'
import { openBrowser } from '#test/support/browser'
import { typescriptOf } from '#test/support/guide-program'
import { commandsOf, type StartedStack, startedStack } from '#test/support/started-stack'

let stack: StartedStack
let browser: Browser

beforeAll(async () => {
  ;[stack, browser] = await Promise.all([
    startedStack(9_000 + (process.pid % 4_000), {
      demoData: true,
      variables: { COMMISSION: '{"rent": 500}' },
    }),
    openBrowser(),
  ])
})

afterAll(async () => {
  await browser?.close()
  await stack?.stop()
})

const sumOf = (amounts: readonly number[]): number => amounts.reduce((sum, amount) => sum + amount, 0)

/** The table of postings in the guide on payouts: a row for each transaction, and what they leave. */
function postingsOfGuide(): number[][] {
  const { markdown = '' } = readGuides().find(({ id }) => id === 'payouts') ?? {}
  const rows = markdown.split('\n').filter((line) => /^\|[^|]+(\| -?\d+ ){5}\|$/.test(line))
  return rows.map((row) => row.split('|').slice(2, -1).map(Number))
}

describe('the guides', () => {
  it('run as they are written, one after another in one shell', async () => {
    const stdout = await stack.run(
      readGuides()
        .map(({ markdown }) => commandsOf(markdown))
        .join('\n'),
    )
    const printed = stdout.split('\n')
    for (const line of [
      '304',
      'Ada Homes',
      'support, auditor',
      'not_found',
      '405 GET',
      'idempotency_key_reused',
      'XOF 0',
      'refund_exceeds_payment',
      'XOF 0 71250',
      'id,at,account,currency,amount,transaction,paymentId,payoutId,reason',
      'invalid_signature',
      'listing.updated 204, ping 204',
      'whsec_',
      'listing.status_changed, listing.updated',
      '200 image/jpeg',
      'HAND_IN_DOCUMENTS',
      'kyc.decided',
      'the private keys that sign access tokens',
    ])
      expect(
        printed.some((text) => text.includes(line)),
        line,
      ).toBe(true)
    expect(stdout).toMatch(/^one listing: lst_/m)
    const [left, ...transactions] = postingsOfGuide().toReversed()
    expect(stdout).toContain(
      `\n${transactions
        .toReversed()
        .map((row) => row.join(' '))
        .join('\n')}\n`,
    )
    expect(left).toEqual(left?.map((_, column) => sumOf(transactions.map((row) => row[column] ?? 0))))
    expect(stdout).not.toMatch(/"status":\d+,"code":"(?!validation_failed)/)
  }, 180_000)

  it('say the same in TypeScript, which runs as one program', async () => {
    await mkdir('.build', { recursive: true })
    const folder = await mkdtemp(join(process.cwd(), '.build/guides-'))
    onTestFinished(() => rm(folder, { recursive: true }))
    const program = join(folder, 'guides.ts')
    await writeFile(program, typescriptOf(readGuides()).replaceAll('http://localhost:3000', stack.url))
    const printed = (await stack.run(`node ${program}`)).split('\n')
    const said = ['Ada Mensah', '304', 'not_found', 'idempotency_key_reused', 'SUCCEEDED', 'whsec_']
    expect(said.filter((line) => !printed.includes(line))).toEqual([])
    const transactions = postingsOfGuide().slice(0, -1)
    expect(printed.join('\n')).toContain(transactions.map((row) => row.join(' ')).join('\n'))
    expect(printed).toContain("[ 'PENDING', 'SUCCEEDED' ]")
  }, 180_000)
})

/** A page of the document, with everything that a browser complains of or asks elsewhere for. */
async function opened(hash: string, options: { width: number; scheme: 'light' | 'dark' }) {
  const context = await browser.newContext({
    viewport: { width: options.width, height: 900 },
    colorScheme: options.scheme,
    locale: 'en-GB',
    bypassCSP: false,
  })
  const page = await context.newPage()
  const complaints: string[] = []
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) complaints.push(message.text())
  })
  page.on('pageerror', ({ message }) => complaints.push(message))
  page.on('request', (request) => {
    const { origin, protocol } = new URL(request.url())
    if (origin !== stack.url && protocol !== 'data:') complaints.push(`asked ${origin}`)
  })
  await page.goto(`${stack.url}/docs${hash}`)
  return { page, complaints, close: () => context.close() }
}

/** Moderate, and left: Swagger UI's headings are of the fourth level, below the operation's first. */
const DECIDED = ['heading-order']

const undecided = (findings: readonly Finding[]) => findings.filter(({ rule }) => !DECIDED.includes(rule))

/** Waits for the section of the page's address: after a step to another, the one before is shown for a moment. */
const untilShown = (page: Page) =>
  page.waitForFunction(
    'document.querySelector(".shown")?.contains(document.getElementById(location.hash.slice(1)))',
  )

/** Goes to a section by its address. */
async function go(page: Page, hash: string): Promise<void> {
  await page.goto(`${stack.url}/docs${hash}`)
  await untilShown(page)
}

/** What axe-core finds in the section that is shown, and around it. */
async function shownFindings(page: Page): Promise<Finding[]> {
  await untilShown(page)
  return undecided(await findingsWithout(page, '[data-view]:not(.shown)'))
}

const shownTitle = (page: Page) => page.textContent('[data-view].shown h1')

describe('the page in a browser', () => {
  it('shows what its address names: a problem, an operation, a guide', async () => {
    const { page, complaints, close } = await opened('#listing_incomplete', { width: 1440, scheme: 'light' })
    const problem = page.locator('#listing_incomplete')
    expect(await problem.isVisible()).toBe(true)
    expect(await problem.textContent()).toContain('What to do')
    await go(page, '#createListing')
    await page.waitForSelector('.shown .opblock-body')
    expect([await shownTitle(page), await page.isVisible('#listing_incomplete')]).toEqual([
      'Draft a listing',
      false,
    ])
    expect(await page.textContent('.shown .viewer')).toContain('Idempotency-Key')
    await go(page, '#uploadMedia')
    await page.waitForSelector('.shown .opblock-body')
    expect((await page.textContent('.shown'))?.match(/all parts are stored or none/g)).toHaveLength(1)
    await go(page, '#webhooks-receiving')
    expect(await shownTitle(page)).toBe('Webhooks')
    expect(await page.locator('nav [aria-current="true"]').count()).toBe(1)
    expect(complaints).toEqual([])
    await close()
  })

  it('shows an operation after the document could not be read for the one before', async () => {
    const { page, close } = await opened('', { width: 1440, scheme: 'light' })
    await page.route('**/openapi.json', (route) => route.abort(), { times: 1 })
    await go(page, '#createListing')
    await page.waitForSelector('.shown .viewer[data-state="failed"]')
    await go(page, '#uploadMedia')
    await page.waitForSelector('.shown .opblock-body')
    await close()
  })

  it('shows an operation after a refusal came in place of the document', async () => {
    const { page, close } = await opened('', { width: 1440, scheme: 'light' })
    const refusal = { status: 503, json: { status: 503, code: 'unavailable' } }
    await page.route('**/openapi.json', (route) => route.fulfill(refusal), { times: 1 })
    await go(page, '#createListing')
    await page.waitForSelector('.shown .viewer[data-state="failed"]')
    await go(page, '#uploadMedia')
    await page.waitForSelector('.shown .opblock-body')
    await close()
  })

  it('shows the first guide where an address is cut in the middle of an escape', async () => {
    const { page, complaints, close } = await opened('#mone%', { width: 1440, scheme: 'light' })
    await page.waitForSelector('[data-view].shown')
    expect(await page.locator('[data-view]').first().isVisible()).toBe(true)
    expect(complaints).toEqual([])
    await close()
  })

  it('finds an operation by a word of its route', async () => {
    const { page, close } = await opened('', { width: 1440, scheme: 'light' })
    await page.fill('#find', 'jwks')
    const found = await page.locator('nav li:visible').allTextContents()
    expect(found.some((text) => text.includes('/.well-known/jwks.json'))).toBe(true)
    await page.fill('#find', 'xyzzy')
    expect(await page.isVisible('#none')).toBe(true)
    await close()
  })

  it.each([
    ['409', '#createListing'],
    ['minor units', '#money'],
    ['cents', '#money'],
    ['verify a webhook', '#webhooks'],
    ['If-Match', '#editListing'],
    ['rate limit', '#too_many_requests'],
  ])('finds %s in what is said, not in names alone', async (words, hash) => {
    const { page, close } = await opened('', { width: 1440, scheme: 'light' })
    await page.fill('#find', words)
    expect(await page.isVisible(`nav a[href="${hash}"]`)).toBe(true)
    expect(await page.isVisible('nav a[href="#getHealth"], nav a[href="#health"]')).toBe(false)
    await close()
  })

  it('has examples that call where it was served from, with a button that copies each', async () => {
    const { page, complaints, close } = await opened('#createListing', { width: 1440, scheme: 'light' })
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    const curl = await page.textContent('.shown .samples pre')
    expect(curl).toContain(`'${stack.url}/listings'`)
    await page.click('.shown .samples .copy')
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(curl)
    expect(await page.textContent('body')).not.toContain('http://localhost:3000')
    expect(await page.locator('.shown .samples .string').count()).toBeGreaterThan(2)
    expect(complaints).toEqual([])
    await close()
  })

  it('shows an example before its schema, and no list of 150 currencies', async () => {
    const { page, close } = await opened('#createPayment', { width: 1440, scheme: 'light' })
    await page.waitForSelector('.shown .opblock-body .model-example pre, .shown .opblock-body .example')
    expect(await page.textContent('.shown .viewer')).not.toMatch(/"?AED"?,? ?"?AFN"?/)
    await close()
  })

  it('tries a request as a local account, chosen at a click, in forms that a screen reader can read', async () => {
    const { page, complaints, close } = await opened('#getProfile', { width: 1440, scheme: 'light' })
    await page.click('#account')
    await page.click('#local-accounts button:has-text("Awa")')
    await page.click('.shown .try-out__btn')
    await page.click('.shown .execute')
    await page.waitForSelector('.shown .live-responses-table')
    expect(await page.textContent('.shown .live-responses-table')).toContain('awa@example.com')
    expect(undecided(await accessibilityFindings(page))).toEqual([])
    for (const operation of ['uploadMedia', 'searchListings', 'createListing']) {
      await go(page, `#${operation}`)
      await page.click('.shown .try-out__btn')
      expect(await shownFindings(page), operation).toEqual([])
    }
    await page.click('#account')
    expect(await shownFindings(page)).toEqual([])
    expect(complaints).toEqual([])
    await close()
  })

  it('sends a pasted token, and none after signing out', async () => {
    const token = (await stack.run('npm run --silent token')).trim()
    const { page, close } = await opened('#listUsers', { width: 1440, scheme: 'light' })
    await page.click('#account')
    await page.fill('#token', `Bearer ${token}`)
    await page.click('button[value=use]')
    const execute = async () => {
      const [answer] = await Promise.all([
        page.waitForResponse((response) => response.url().includes('/admin/users')),
        page.click('.shown .execute'),
      ])
      return answer.status()
    }
    await page.click('.shown .try-out__btn')
    expect(await execute()).toBe(200)
    await page.click('#account')
    await page.click('button[value=out]')
    expect(await execute()).toBe(401)
    await close()
  })

  it('reads well without script, down to the words of a problem', async () => {
    const context = await browser.newContext({ javaScriptEnabled: false })
    const page = await context.newPage()
    await page.goto(`${stack.url}/docs#payment_refused`)
    expect(await page.isVisible('#payment_refused')).toBe(true)
    expect(await page.isVisible('#createListing h1')).toBe(true)
    await context.close()
  })

  const PAGES = ['#createListing', '#money']
  const ALL = [...PAGES, '#payouts', '#problems', '#paymentStatusChangedEvent']
  const LOOKS = [
    { width: 360, scheme: 'light', pages: ALL },
    { width: 360, scheme: 'dark', pages: PAGES },
    { width: 1440, scheme: 'light', pages: PAGES },
    { width: 1440, scheme: 'dark', pages: ALL },
  ] as const
  for (const { width, scheme, pages } of LOOKS) {
    it(`is accessible and fits ${width} pixels in ${scheme}`, async () => {
      const { page, complaints, close } = await opened('', { width, scheme })
      for (const hash of pages) {
        await go(page, hash)
        if (await page.locator('.shown .viewer').count()) await page.waitForSelector('.shown .opblock-body')
        expect(await shownFindings(page), hash).toEqual([])
        const overflow = await page.evaluate('document.documentElement.scrollWidth - innerWidth')
        expect(overflow, hash).toBeLessThanOrEqual(0)
      }
      expect(complaints).toEqual([])
      await close()
    })
  }
})
