import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Locale } from '#lib/kernel/locale'
import { mailPreviewRoute } from '#lib/local/mail-preview/mail-preview'
import { samplesIn } from '#lib/local/mail-preview/samples'
import { openBrowser } from '#test/support/browser'

let server: Server
let browser: Browser
let origin: string

beforeAll(async () => {
  server = createServer((request, response) =>
    mailPreviewRoute.handle(request, response, new URL(request.url ?? '/', 'http://localhost')),
  )
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  browser = await openBrowser()
})
afterAll(async () => {
  await browser.close()
  server.close()
})

describe('GET /local/mails', () => {
  it('shows every mail and notification in every language', async () => {
    const page = await (await fetch(`${origin}/local/mails`)).text()
    for (const locale of Locale.options) {
      for (const { name, mail } of samplesIn(locale)) {
        if (mail) expect(page).toContain(`src="/local/mails/${locale}/${name}"`)
      }
    }
    expect(page).toContain('<pre lang="ar" dir="rtl">')
    expect(page).not.toContain('<b>& garden')
  })

  it('shows one language where one is asked for', async () => {
    const page = await (await fetch(`${origin}/local/mails?locale=fr`)).text()
    expect(page).toContain('src="/local/mails/fr/paymentSucceeded"')
    expect(page).not.toContain('src="/local/mails/en/')
  })

  it('shows the HTML of one mail', async () => {
    const { mail } = samplesIn('pt').find(({ name }) => name === 'listingPublished') ?? {}
    const answer = await fetch(`${origin}/local/mails/pt/listingPublished`)
    expect(await answer.text()).toBe(mail?.html)
    expect((await fetch(`${origin}/local/mails/xx/listingPublished`)).status).toBe(404)
    expect((await fetch(`${origin}/local/mails/pt/nothing`)).status).toBe(404)
  })
})

describe('in a browser', () => {
  it('no mail is wider than a telephone, and none asks for anything else', { timeout: 120_000 }, async () => {
    const page = await browser.newPage({ viewport: { width: 360, height: 700 }, javaScriptEnabled: true })
    const asked: string[] = []
    page.on('request', (request) => asked.push(request.url()))
    const wide: string[] = []
    for (const locale of Locale.options) {
      for (const { name, mail } of samplesIn(locale)) {
        if (!mail) continue
        await page.setContent(mail.html)
        const width = await page.evaluate('document.documentElement.scrollWidth')
        if (Number(width) > 360) wide.push(`${name} in ${locale}`)
      }
    }
    expect(wide).toEqual([])
    expect(asked).toEqual([])
  })

  it('the overview is readable on a telephone', async () => {
    const page = await browser.newPage({ viewport: { width: 360, height: 700 } })
    const faults: string[] = []
    page.on('console', (message) => faults.push(message.text()))
    await page.goto(`${origin}/local/mails?locale=ar`)
    expect(Number(await page.evaluate('document.documentElement.scrollWidth'))).toBeLessThanOrEqual(360)
    expect(faults).toEqual([])
  })
})
