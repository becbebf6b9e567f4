import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { localKeys } from '#lib/local/keys'
import { openBrowser } from '#test/support/browser'
import { layoutFaults } from '#test/support/geometry'
import { type StartedStack, startedStack } from '#test/support/started-stack'
import {
  addPicture,
  clientOf,
  eventually,
  HOSTILE,
  payment,
  person,
  unmatchedCallback,
  waitingAgent,
  waitingListing,
} from './marketplace.ts'
import { type Readers, readersOf } from './reader.ts'

const PORT = 25_300 + (process.pid % 4_000)
const WIDTHS = [360, 768, 1024, 1366, 1440]

const LONG_NAME = 'Maximiliane Alexandra Oluwaseun-Traoré de la Villardière'
const ARABIC_NAME = 'محمد بن عبد الله الأنصاري'
const ARABIC_TITLE = 'شقة مفروشة للإيجار قرب الجامعة'

let stack: StartedStack
let browser: Browser
let readers: Readers
let subjects: string[]
let decisions: string[]
let twicePaid: string

beforeAll(async () => {
  ;[stack, browser] = await Promise.all([startedStack(PORT, { demoData: false }), openBrowser()])
  readers = readersOf(browser, PORT)
  const send = clientOf(stack.url)
  const token = (await stack.run('npm run --silent token -- --sub ann')).trim()
  const [agent, waiting, customer] = await Promise.all([
    person(send, LONG_NAME),
    person(send, ARABIC_NAME, 'ar'),
    person(send, HOSTILE),
  ])
  await Promise.all([waitingAgent(send, agent), waitingAgent(send, waiting)])
  await send('PATCH', '/auth/kyc', {
    token,
    body: { userId: agent.id, kycStatus: 'VERIFIED', note: HOSTILE },
  })
  const listing = await waitingListing(send, agent, ARABIC_TITLE)
  await send('PATCH', `/listings/${listing}/moderate`, { token, body: { status: 'PUBLISHED' } })
  await addPicture(send, agent.token, listing, 'flat.jpg')
  const description = `Call +225 07 07 12 34 56, or ${'write '.repeat(80)}. ${HOSTILE}`
  await send('PATCH', `/listings/${listing}`, { token: agent.token, body: { description } })
  await waitingListing(send, agent, HOSTILE)
  const report = { reason: 'wrong_price', text: HOSTILE }
  await send('POST', `/listings/${listing}/reports`, { token: customer.token, body: report })
  const enquiry = await send('POST', `/listings/${listing}/enquiries`, {
    token: customer.token,
    body: { message: HOSTILE },
  })
  await send('POST', `/enquiries/${enquiry['id']}/reports`, {
    token: customer.token,
    body: { reason: 'spam' },
  })
  const webhook = await send('POST', '/admin/webhooks', {
    token,
    body: {
      url: `http://localhost:9/${'a-long-path/'.repeat(12)}`,
      types: ['user.banned'],
      description: HOSTILE,
    },
  })
  const disputed = await payment(send, customer, listing, ['dispute'])
  const twice = await payment(send, customer, listing, ['pay-again'])
  await unmatchedCallback(stack.url, (await localKeys(stack.directory)).sandboxWebhookSecret, 77_000)
  const idIn = (path: string) =>
    eventually(async () => {
      const { items } = (await send('GET', path, { token })) as { items?: { id: string }[] }
      return items?.[0]?.id
    })
  const [callback, event] = [await idIn('/admin/payments/callbacks'), await idIn('/admin/events')]
  twicePaid = `payments/${twice}`
  decisions = [`identities/${waiting.id}`, `listings/${listing}`, `reports/${listing}`]
  subjects = [
    ...decisions,
    `enquiries/${enquiry['id']}`,
    `payments/${disputed}`,
    twicePaid,
    `callbacks/${callback}`,
    `people/${agent.id}`,
    `people/${customer.id}`,
    `ledger/${agent.id}`,
    `webhooks/${webhook['id']}`,
    `events/${event}`,
  ]
}, 180_000)

afterAll(async () => {
  await browser?.close()
  await stack?.stop()
})

const LISTS = [
  'home',
  'identities',
  'listings',
  'reports',
  'enquiries',
  'payments',
  'callbacks',
  'payouts',
  'ledger',
  'people',
  'mails',
  'webhooks',
  'journal',
  'events',
]

/** What the service answers to a page that is seen in another state than its own. */
const STATES = {
  empty: { status: 200, json: { items: [], nextCursor: null } },
  refused: {
    status: 503,
    json: { type: 'about:blank', title: 'Unavailable', status: 503, code: 'unavailable' },
  },
} as const

const REFUSED_REFUND = {
  status: 409,
  json: {
    type: 'about:blank',
    title: 'Conflict',
    status: 409,
    code: 'refund_exceeds_payment',
    requestId: '01JD3Z5X0G3ZB6Y7V7W9C5RBND-01JD3Z5X0G3ZB6Y7V7W9C5RBND',
  },
} as const

/** Holds a page to its layout at every width. */
async function expectLaidOut(page: Page, what: string): Promise<void> {
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 800 })
    await vi.waitFor(
      async () => expect(await layoutFaults(page), `${what} at ${width} pixels`).toEqual([]),
      5_000,
    )
  }
}

/** Links in running text are as high as their line, and a card is one link. */
const SMALL_TARGETS = `[...document.querySelectorAll('button, select, input, nav a, main a, .chips label')]
  .filter((one) => one.checkVisibility() && !one.closest('.chips label > *, .skip, p, .history, .timeline'))
  .filter((one) => !['checkbox', 'radio'].includes(one.type) && getComputedStyle(one).pointerEvents !== 'none')
  .map((one) => (one.closest('td:first-child > .cell') ? one.closest('tr') : one))
  .filter((one) => one.getBoundingClientRect().height < 44)
  .map((one) => one.innerText || one.name || one.outerHTML.slice(0, 80))`

/** The facts of the first row that are seen. */
const SEEN_FACTS = `[...document.querySelectorAll('[data-row="0"] > td > .cell')]
  .filter((cell) => cell.checkVisibility())
  .map((cell) => cell.innerText.trim())
  .filter(Boolean)`

/** An agent’s status is their name, as long as it may be. */
const TALL_STATUSES = `[...document.querySelectorAll('.table .status:not(:has(bdi))')]
  .filter((status) => status.getBoundingClientRect().height > 24)
  .map((status) => status.innerText)`

describe('the layout of the console', () => {
  it.each(['en-GB', 'fr-FR'])(
    'every page in %s fits every window: nothing beside it, no text cut but with an ellipsis and a title',
    { timeout: 180_000 },
    async (locale) => {
      const page = await readers.signedIn('ann', { locale })
      for (const hash of [...LISTS, ...subjects]) {
        await readers.open(page, hash)
        await expect.poll(() => page.locator('.skeleton').count(), { timeout: 15_000 }).toBe(0)
        await expectLaidOut(page, hash)
      }
      await page.context().close()
    },
  )

  it.each(Object.entries(STATES))(
    'every list that is %s fits every window',
    { timeout: 180_000 },
    async (state, answer) => {
      const page = await readers.signedIn('ann', {}, false)
      await page.route(/\/(admin\/(?!overview)|auth\/kyc)/, (route) => route.fulfill(answer))
      for (const hash of LISTS.filter((name) => name !== 'home')) {
        await readers.open(page, hash)
        await page
          .locator(state === 'empty' ? 'main .empty' : 'main [role=alert]')
          .first()
          .waitFor()
        await expectLaidOut(page, `${hash} ${state}`)
      }
      await page.context().close()
    },
  )

  it('every page fits every window while it loads', { timeout: 180_000 }, async () => {
    const page = await readers.signedIn('ann', {}, false)
    await page.route(/\/(admin|auth|listings|agents)\//, () => undefined)
    for (const hash of [...LISTS, ...subjects]) {
      await page.goto(`${stack.url}/console#/${hash}`)
      await page.locator('.skeleton').first().waitFor()
      await expectLaidOut(page, `${hash} while it loads`)
    }
    await page.context().close()
  })

  it('a form that is opened, held or refused fits every window', { timeout: 180_000 }, async () => {
    const page = await readers.signedIn('ann', { locale: 'fr-FR' }, false)
    for (const [hash, key] of [
      ['payouts', 'r'],
      ['webhooks', 'c'],
    ] as const) {
      await readers.open(page, hash)
      await expect.poll(() => page.locator('.skeleton').count(), { timeout: 15_000 }).toBe(0)
      await page.keyboard.press(key)
      await page.locator('form.panel').waitFor()
      await expectLaidOut(page, `${hash} with its form`)
    }
    await page.route('**/refunds', (route) => route.fulfill(REFUSED_REFUND))
    await readers.open(page, twicePaid)
    await page.getByLabel('Motif').fill(HOSTILE)
    await page.getByRole('button', { name: 'Rembourser' }).click()
    await page.getByRole('button', { name: 'Envoyer maintenant' }).waitFor()
    await expectLaidOut(page, 'a refund that is held')
    await page.getByRole('button', { name: 'Envoyer maintenant' }).click()
    await page.locator('form [role=alert]').waitFor()
    await expectLaidOut(page, 'a refund that was refused')
    await page.context().close()
  })

  it('a decision fits every window once its reasons are asked for', { timeout: 120_000 }, async () => {
    const page = await readers.signedIn('ann')
    for (const hash of decisions) {
      await readers.open(page, hash)
      await page.locator('.verdicts button').first().waitFor()
      await page.keyboard.press(hash.startsWith('reports') ? 's' : 'x')
      await page.getByRole('checkbox').first().waitFor()
      await expectLaidOut(page, `${hash} with its reasons`)
    }
    await page.context().close()
  })

  it('the menu, the search and the keys fit every window', { timeout: 120_000 }, async () => {
    const page = await readers.signedIn('ann')
    for (const key of ['Control+k', '?']) {
      await page.keyboard.press(key)
      await page.getByRole('dialog').waitFor()
      await expectLaidOut(page, key)
      await page.keyboard.press('Escape')
      await page.getByRole('dialog').waitFor({ state: 'detached' })
    }
    await page.setViewportSize({ width: 360, height: 800 })
    await page.getByRole('button', { name: 'Menu' }).click()
    expect(await layoutFaults(page)).toEqual([])
    await page.context().close()
  })

  it('on a telephone every button and field is at least 44 pixels high', { timeout: 120_000 }, async () => {
    const page = await readers.signedIn('ann', { viewport: { width: 360, height: 800 } })
    for (const hash of [...LISTS, ...subjects]) {
      await readers.open(page, hash)
      await expect.poll(() => page.locator('.skeleton').count(), { timeout: 15_000 }).toBe(0)
      await vi.waitFor(async () => expect(await page.evaluate(SMALL_TARGETS), hash).toEqual([]), 5_000)
    }
    await page.context().close()
  })

  it('on a telephone a row keeps every fact that it has on a wide screen, and each status its one line', async () => {
    const page = await readers.signedIn('ann', { locale: 'fr-FR' })
    for (const hash of ['listings', 'identities', 'payments', 'callbacks', 'people', 'journal']) {
      await page.setViewportSize({ width: 1440, height: 800 })
      await readers.open(page, hash)
      await page.getByRole('table').waitFor()
      const facts = await page.evaluate<string[]>(SEEN_FACTS)
      expect(facts.length, hash).toBeGreaterThan(2)
      await page.setViewportSize({ width: 360, height: 800 })
      await expect.poll(() => page.evaluate(SEEN_FACTS), { message: hash }).toEqual(facts)
      expect(await page.evaluate(TALL_STATUSES), hash).toEqual([])
    }
    await page.context().close()
  })

  it('an Arabic name stays where other names stand, beside its picture', async () => {
    const page = await readers.signedIn('ann')
    for (const width of [360, 1440]) {
      await page.setViewportSize({ width, height: 800 })
      for (const [hash, text] of [
        ['listings', ARABIC_TITLE],
        ['people', ARABIC_NAME],
      ] as const) {
        await readers.open(page, hash)
        const name = page.getByRole('table').getByText(text)
        await name.waitFor()
        const gap = await name.evaluate(`(() => {
          const name = [...document.querySelectorAll('.table bdi')].find((one) => one.textContent === ${JSON.stringify(text)})
          const cell = name.closest('td')
          const before = (cell.querySelector('.tag') ?? cell.querySelector('img'))?.getBoundingClientRect().right ?? cell.getBoundingClientRect().left
          return name.getBoundingClientRect().left - before
        })()`)
        expect(gap).toBeLessThan(12)
      }
    }
    await page.context().close()
  })
})
