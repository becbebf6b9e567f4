import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { spec as showChange } from '#functions/accounts/mailed-links/show-change-email-page'
import { spec as showReset } from '#functions/accounts/mailed-links/show-reset-password-page'
import { spec as showUndo } from '#functions/accounts/mailed-links/show-undo-email-change-page'
import { spec as showVerify } from '#functions/accounts/mailed-links/show-verify-email-page'
import { spec as submitReset } from '#functions/accounts/mailed-links/submit-reset-password-page'
import { spec as submitUndo } from '#functions/accounts/mailed-links/submit-undo-email-change-page'
import { spec as submitVerify } from '#functions/accounts/mailed-links/submit-verify-email-page'
import { spec as forgot } from '#functions/accounts/passwords/forgot-password'
import { spec as showUnsubscribe } from '#functions/notifications/show-unsubscribe'
import { spec as getReceipt } from '#functions/payments/get-receipt'
import { spec as showReceipt } from '#functions/payments/show-receipt'
import { hmacKeys } from '#lib/config/keys'
import { pageHeaders } from '#lib/http/reply'
import type { Spec } from '#lib/http/spec'
import { UserId } from '#lib/kernel/id'
import { checkoutPage, noticePage } from '#lib/local/sandbox/sandbox-page'
import { Checkout } from '#lib/local/sandbox/sandbox-store'
import { unsubscribeToken } from '#lib/notifications/unsubscribe'
import { accessibilityFindings } from '#test/support/accessibility'
import { keepsPictures, openBrowser } from '#test/support/browser'
import { type Call, call } from '#test/support/call'
import { deliver, fromGateway } from '#test/support/callbacks'
import { aCustomer } from '#test/support/enquiries'
import { layoutFaults } from '#test/support/geometry'
import { aUser, aVerifiedAgent, consoleToken } from '#test/support/given'
import { aListing, COMPLETE } from '#test/support/listings'
import { mailedBy, tokenIn } from '#test/support/mail'
import { aPayment, paid } from '#test/support/payments'

const SCREENSHOTS = join(import.meta.dirname, '../../.build/pages')

const LOGO = `data:image/svg+xml,${encodeURIComponent(
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 160 40"><rect width="160" height="40" rx="8" fill="#0f766e"/></svg>',
)}`
const BRAND = { name: 'Société Générale de Transactions Immobilières', colour: '#0f766e', logo: LOGO }

type Shown = { name: string; status: number; headers: Record<string, string>; body: string }

let browser: Browser
let pages: Record<'en' | 'fr' | 'ar', Shown[]>

const form = (fields: Record<string, string>) => ({
  rawBody: new URLSearchParams(fields).toString(),
  headers: { 'content-type': 'application/x-www-form-urlencoded' },
})

/** A payment of somebody with an Arabic name, part of which was given back. */
async function aRefundedRent() {
  const agent = await aVerifiedAgent()
  const listing = await aListing(agent.id, {
    ...COMPLETE,
    title: 'شقة مفروشة مع إطلالة على البحيرة, 3 rooms at Cocody-Riviera',
  })
  const customer = await aCustomer({ name: 'عائشة بنت محمد الأنصاري' })
  const rent = { amount: 123_456_789, currency: 'XOF', purpose: 'rent', listingId: listing }
  const payment = await aPayment(customer, rent)
  await paid(payment)
  const refund = { id: `txn_${payment.id}_r`, reference: payment.id, amount: 50_000, currency: 'XOF' }
  await deliver(fromGateway('payment.refunded', refund))
  return payment.id
}

const CHECKOUT = Checkout.parse({
  id: `sbx_${'0'.repeat(24)}`,
  reference: 'pay_01M828BNKJXE5WEAYKGANGTQFW',
  amount: 123_456_789,
  currency: 'XOF',
  returnUrl: 'https://www.platform.test/thanks',
  state: 'paid',
  secondCharge: { id: 'sbx_2', amount: 123_456_789 },
  refunded: 500,
  refunds: [{ id: 'r', amount: 500 }],
  disputed: true,
  expiresAt: '2026-11-20T17:00:00.000Z',
  deliveries: [{ type: 'payment.succeeded', answer: 'answered 200', at: '2026-11-20T17:00:00.000Z' }],
})

beforeAll(async () => {
  browser = await openBrowser()
  await mkdir(SCREENSHOTS, { recursive: true })
  const [id, administrator, { email, id: userId }] = await Promise.all([
    aRefundedRent(),
    consoleToken(),
    aUser({ name: 'عائشة بنت محمد الأنصاري' }),
  ])
  const { mails } = await mailedBy(forgot, { body: { email } })
  const reset = { token: tokenIn(mails[0]) }
  const stop = { token: await unsubscribeToken(hmacKeys.make(), UserId.parse(userId), 'searches') }
  const gone = { token: 'unknown' }
  const asked: [name: string, spec: Spec, request: Call][] = [
    ['receipt', getReceipt, { params: { id }, token: administrator }],
    ['receipt-gone', showReceipt, { query: gone }],
    ['verify', showVerify, { query: gone }],
    ['verify-gone', submitVerify, { query: gone, ...form({}) }],
    ['verify-sent', submitVerify, form({ email: 'nobody@example.com' })],
    ['reset', showReset, { query: reset }],
    ['reset-weak', submitReset, { query: reset, ...form({ newPassword: 'password1234' }) }],
    ['reset-gone', submitReset, { query: gone, ...form({ newPassword: 'nine herons and a weir' }) }],
    ['reset-misspelt', submitReset, { query: gone, ...form({ email: 'awa' }) }],
    ['reset-asked', showReset, {}],
    ['change', showChange, { query: gone }],
    ['undo', showUndo, { query: gone }],
    ['undo-gone', submitUndo, { query: gone, ...form({}) }],
    ['unsubscribe', showUnsubscribe, { query: stop }],
    ['unsubscribe-gone', showUnsubscribe, { query: gone }],
  ]
  const shownIn = (locale: string) =>
    Promise.all(
      asked.map(async ([name, spec, request]): Promise<Shown> => {
        const headers = { ...request.headers, accept: 'text/html', 'accept-language': locale }
        const answer = await call(spec, { ...request, headers, deps: { brand: BRAND } })
        return { name, status: answer.status, headers: answer.headers, body: answer.text }
      }),
    )
  const sandbox = [
    { name: 'checkout', page: checkoutPage({ ...CHECKOUT, state: 'open', secondCharge: null }, BRAND) },
    { name: 'checkout-paid', page: checkoutPage(CHECKOUT, BRAND) },
    { name: 'checkout-missing', page: noticePage('There is no such checkout.', BRAND) },
  ].map(({ name, page: { html, imageSource } }): Shown => {
    const headers = { 'content-type': 'text/html; charset=utf-8', ...pageHeaders(imageSource) }
    return { name, status: 200, headers, body: html }
  })
  const [en, fr, ar] = await Promise.all([shownIn('en'), shownIn('fr'), shownIn('ar')])
  pages = { en: [...en, ...sandbox], fr, ar }
})

afterAll(() => browser.close())

/** A window that is given a page as it was answered, its headers included. */
async function windowOf(options: BrowserContextOptions) {
  const context = await browser.newContext({ javaScriptEnabled: true, ...options })
  const page = await context.newPage()
  const complaints: string[] = []
  page.on('console', (message) => {
    if (message.type() === 'error' && !message.text().includes('the server responded')) {
      complaints.push(message.text())
    }
  })
  let next: Shown | undefined
  await page.route('https://api.platform.test/**', (route) =>
    next ? route.fulfill({ status: next.status, headers: next.headers, body: next.body }) : route.abort(),
  )
  const show = async (shown: Shown) => {
    next = { ...shown, headers: withoutCoding(shown.headers) }
    await page.goto(`https://api.platform.test/${shown.name}`)
  }
  return { page, show, complaints, close: () => context.close() }
}

/** The answer's text was unpacked already. */
const withoutCoding = ({ 'content-encoding': _, ...headers }: Record<string, string>) => headers

const openDetails = (page: Page) =>
  page.evaluate('document.querySelectorAll("details").forEach((each) => { each.open = true })')

describe('every page that customers see', () => {
  const SIZES = [360, 768, 1440] as const

  it.each(['en', 'fr', 'ar'] as const)(
    'in %s, light and dark, fits its window, cuts no text, and everyone can use it',
    { timeout: 180_000 },
    async (locale) => {
      const { page, show, complaints, close } = await windowOf({})
      const faults: string[] = []
      const look = async (name: string, width: number) => {
        await page.setViewportSize({ width, height: 800 })
        faults.push(...(await layoutFaults(page)).map((fault) => `${name}: ${fault}`))
        const findings = width === 360 ? await accessibilityFindings(page) : []
        faults.push(...findings.map(({ rule, nodes }) => `${name}: ${rule} ${nodes.join(' ')}`))
        if (keepsPictures) await page.screenshot({ path: join(SCREENSHOTS, `${name}.png`), fullPage: true })
      }
      for (const shown of pages[locale]) {
        await show(shown)
        await openDetails(page)
        for (const colorScheme of ['light', 'dark'] as const) {
          await page.emulateMedia({ colorScheme })
          for (const width of SIZES) await look(`${shown.name}-${locale}-${width}-${colorScheme}`, width)
        }
      }
      expect(faults).toEqual([])
      expect(complaints).toEqual([])
      await close()
    },
  )

  it('has buttons and fields that a thumb meets', async () => {
    const { page, show, close } = await windowOf({ viewport: { width: 360, height: 800 } })
    for (const shown of pages.en) {
      await show(shown)
      await openDetails(page)
      for (const target of await page.locator('button, input:not([type=hidden]), summary').all()) {
        const box = await target.boundingBox()
        expect(box?.height, shown.name).toBeGreaterThanOrEqual(44)
      }
    }
    await close()
  })

  it('shows the sum of a receipt larger than all else on it, and prints it on one white sheet', async () => {
    const { page, show, close } = await windowOf({
      viewport: { width: 360, height: 800 },
      colorScheme: 'dark',
    })
    for (const locale of ['en', 'fr', 'ar'] as const) {
      const [receipt] = pages[locale]
      if (receipt) await show(receipt)
      const sizes: number[] = await page.evaluate(
        '[...document.querySelectorAll("dd, h1")].map((each) => parseFloat(getComputedStyle(each).fontSize))',
      )
      const total: number = await page.evaluate(
        'parseFloat(getComputedStyle(document.querySelector(".total dd")).fontSize)',
      )
      expect(sizes.filter((size) => size >= total)).toEqual([total])
      await page.emulateMedia({ media: 'print' })
      const paper = await page.evaluate('getComputedStyle(document.querySelector("main")).color')
      expect(paper).toBe('rgb(31, 41, 55)')
      const pdf = await page.pdf({ format: 'A4', path: join(SCREENSHOTS, `receipt-${locale}.pdf`) })
      expect(pdf.toString('latin1').match(/\/Type\s*\/Page\b/g)).toHaveLength(1)
      await page.emulateMedia({ media: null })
    }
    await close()
  })
})
