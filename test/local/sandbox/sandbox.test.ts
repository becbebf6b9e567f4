import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openSandbox, type Sandbox, sandboxFor } from '#lib/local/sandbox/sandbox-server'
import { STANDARD_SECRET } from '#test/providers/adapters/example'
import { testProviders } from '#test/support/providers'

let server: Server
let sandbox: Sandbox
let directory: string
let address: string
const called: { id: string; genuine: boolean; type: string; data: Record<string, unknown> }[] = []

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'sandbox-'))
  const provider = await testProviders().find('sandbox')
  server = createServer(async (request, response) => {
    const url = new URL(request.url ?? '/', 'http://localhost')
    const route = sandbox.routes.find(
      ({ method, path }) => method === request.method && url.pathname.startsWith(path),
    )
    if (route) return void route.handle(request, response, url)
    const rawBody = await text(request)
    const headers = request.headers as Record<string, string>
    const callback = { method: 'POST', rawBody: Buffer.from(rawBody), headers, rawQuery: '' }
    const [event] = (await provider?.interpret(callback)) ?? []
    const isUnderstood = event !== undefined && event.fault === undefined
    const genuine = (await provider?.verify(callback)) === 'signed' && isUnderstood
    called.push({ id: headers['webhook-id'] ?? '', genuine, ...JSON.parse(rawBody) })
    response.writeHead(url.pathname === '/payments/callback/sandbox' ? 200 : 404).end()
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  sandbox = openSandbox({ directory, publicUrl: address, secret: STANDARD_SECRET })
})
afterAll(async () => {
  await sandbox.stop()
  server.close()
  await rm(directory, { recursive: true, force: true })
})

let references = 0
async function aCheckout(more: object = {}): Promise<{ id: string; url: string }> {
  references += 1
  const body = { reference: `pay_${references}`, amount: 12_550, currency: 'EUR', returnUrl: null, ...more }
  const answer = await fetch(`${address}/local/sandbox/checkouts`, {
    method: 'POST',
    body: JSON.stringify(body),
  })
  expect(answer.status).toBe(201)
  return JSON.parse(await answer.text())
}
const press = (url: string, action: string, more: Record<string, string> = {}) =>
  fetch(url, { method: 'POST', body: new URLSearchParams({ action, ...more }), redirect: 'manual' })
const page = async (url: string) => (await fetch(url)).text()
const buttons = async (url: string) =>
  [...(await page(url)).matchAll(/<button>([^<]*)</g)].map(([, label]) => label)

describe('the sandbox', () => {
  it('does not start where a configured provider lacks a key', () => {
    const settings = {
      stripe: { webhookSecrets: ['whsec_x'] },
      sandbox: { webhookSecrets: [STANDARD_SECRET] },
    }
    const environment = { PUBLIC_URL: address, PAYMENT_PROVIDERS: JSON.stringify(settings) }
    expect(() => sandboxFor(environment, directory)).toThrow('PAYMENT_PROVIDERS lacks stripe.apiKey')
  })

  it('opens one checkout for a payment, however often it is asked', async () => {
    const first = await aCheckout({ reference: 'pay_same' })
    expect(await aCheckout({ reference: 'pay_same' })).toEqual(first)
  })

  it('offers to pay, and once paid to give back or to dispute', async () => {
    const { url } = await aCheckout()
    expect(await buttons(url)).toEqual(['Pay', 'Fail', 'Cancel', 'Deliver twice', 'Deliver late'])
    await press(url, 'pay')
    expect(await buttons(url)).toEqual(['Refund', 'Dispute', 'Pay again'])
    expect(await page(url)).toContain('125.50 EUR')
  })

  it.each([
    ['pay', [{ type: 'payment.succeeded', amount: 12_550, currency: 'EUR' }]],
    ['fail', [{ type: 'payment.failed', status: 'failed' }]],
    ['cancel', [{ type: 'payment.failed', status: 'cancelled' }]],
  ])('calls back, signed, on %s', async (action, expected) => {
    const { url } = await aCheckout({ reference: `pay_${action}` })
    const before = called.length
    const answer = await press(url, action)
    expect([answer.status, answer.headers.get('location')]).toEqual([303, new URL(url).pathname])
    expect(called.slice(before)).toMatchObject(
      expected.map(({ type, ...data }) => ({
        genuine: true,
        type,
        data: { reference: `pay_${action}`, ...data },
      })),
    )
  })

  it('delivers twice under one id', async () => {
    const { url } = await aCheckout()
    const before = called.length
    await press(url, 'deliver-twice')
    const [one, two] = called.slice(before)
    expect(one?.id).toMatch(/^msg_/)
    expect(two?.id).toBe(one?.id)
  })

  it('is paid and disputed once, however often and fast one clicks', async () => {
    const { url } = await aCheckout()
    const before = called.length
    const clicks = [...Array(5)].map(() => press(url, 'pay'))
    for (const { status } of await Promise.all(clicks)) expect(status).toBe(303)
    for (const _ of [1, 2]) expect((await press(url, 'dispute')).status).toBe(303)
    expect(called.slice(before).map(({ type }) => type)).toEqual(['payment.succeeded', 'payment.disputed'])
  })

  it('says how a dispute ends, and one that was lost may still be won', async () => {
    const { url } = await aCheckout()
    await press(url, 'pay')
    expect((await press(url, 'win')).status).toBe(409)
    const before = called.length
    await press(url, 'dispute')
    expect(await buttons(url)).toEqual(['Refund', 'Win', 'Lose the dispute', 'Pay again'])
    await press(url, 'lose')
    expect(await buttons(url)).toEqual(['Refund', 'Win', 'Pay again'])
    for (const _ of [1, 2]) expect((await press(url, 'win')).status).toBe(303)
    expect((await press(url, 'lose')).status).toBe(409)
    const statuses = called.slice(before).map(({ data }) => data['status'])
    expect(statuses).toEqual(['opened', 'lost', 'won'])
    expect(await page(url)).toContain('The dispute was won.')
  })

  it('charges a second time, once, and gives each charge back by itself', async () => {
    const { id, url } = await aCheckout()
    await press(url, 'pay')
    const before = called.length
    for (const _ of [1, 2]) expect((await press(url, 'pay-again')).status).toBe(303)
    const [again, ...more] = called.slice(before)
    expect(more).toEqual([])
    expect(again).toMatchObject({ type: 'payment.succeeded', data: { amount: 12_550 } })
    expect(again?.data['id']).not.toBe(id)
    expect(await buttons(url)).toEqual(['Refund', 'Refund', 'Dispute'])
    await press(url, 'refund', { charge: String(again?.data['id']) })
    expect(await buttons(url)).toEqual(['Refund', 'Dispute'])
    expect(called.at(-1)?.data).toMatchObject({ amount: 12_550, charge_id: again?.data['id'] })
    expect((await press(url, 'refund', { charge: 'sbx_another' })).status).toBe(409)
  })

  it('closes a page for the service until it is paid', async () => {
    const { url } = await aCheckout()
    const close = () => fetch(`${url}/cancellation`, { method: 'POST' })
    expect((await close()).status).toBe(200)
    expect(await page(url)).toContain('The shop has closed this page.')
    expect(await buttons(url)).toEqual(['Pay', 'Deliver twice', 'Deliver late'])
    await press(url, 'pay')
    expect((await close()).status).toBe(409)
  })

  it('forgets none of the refunds that are made at once', async () => {
    const { url } = await aCheckout()
    await press(url, 'pay')
    const asked = (id: string) =>
      fetch(`${url}/refunds`, { method: 'POST', body: JSON.stringify({ id, amount: 5_000 }) })
    const answers = await Promise.all([asked('a'), press(url, 'refund', { amount: '50' })])
    expect(answers.map(({ status }) => status)).toEqual([201, 303])
    expect((await asked('a')).status).toBe(201)
    expect((await asked('b')).status).toBe(409)
    const shown = await (await fetch(url, { headers: { accept: 'application/json' } })).json()
    expect(shown).toMatchObject({ refunded: 10_000, refunds: [{ amount: 5_000 }, { amount: 5_000 }] })
  })

  it('answers a late delivery at once, and delivers nothing yet', async () => {
    const { url } = await aCheckout()
    const before = called.length
    expect((await press(url, 'deliver-late')).status).toBe(303)
    expect(called.length).toBe(before)
    expect(await buttons(url)).toContain('Refund')
  })

  it('gives back in parts, and never more than was paid', async () => {
    const { url } = await aCheckout()
    await press(url, 'pay')
    const before = called.length
    expect((await press(url, 'refund', { amount: '25.50' })).status).toBe(303)
    expect((await press(url, 'refund', { amount: '100.01' })).status).toBe(409)
    expect((await press(url, 'refund', { amount: '-1' })).status).toBe(409)
    expect((await press(url, 'refund')).status).toBe(303)
    expect((await press(url, 'refund')).status).toBe(409)
    const refunds = called.slice(before).map(({ data }) => [data['refund_id'], data['amount']])
    expect(refunds.map(([, amount]) => amount)).toEqual([2_550, 10_000])
    expect(new Set(refunds.map(([id]) => id)).size).toBe(2)
  })

  it('sends the payer back to where they came from', async () => {
    const { url } = await aCheckout({ returnUrl: 'https://www.platform.test/thanks?a=1&b=2' })
    expect(await page(url)).toContain('href="https://www.platform.test/thanks?a=1&amp;b=2"')
    expect((await press(url, 'pay')).headers.get('location')).toBe('https://www.platform.test/thanks?a=1&b=2')
  })

  it('shows what it was given as text', async () => {
    const { url } = await aCheckout({ reference: '<script>alert(1)</script>' })
    expect(await page(url)).not.toContain('<script')
  })

  it('knows no other checkout and no other button', async () => {
    const { url } = await aCheckout()
    expect((await press(url, 'rob')).status).toBe(409)
    expect((await press(url, 'refund')).status).toBe(409)
    expect((await fetch(`${address}/local/sandbox/checkouts/..%2f..%2fkeys`)).status).toBe(404)
    expect((await fetch(`${address}/local/sandbox/checkouts/sbx_${'0'.repeat(24)}`)).status).toBe(404)
    expect((await fetch(`${address}/local/sandbox/checkouts`, { method: 'POST', body: '{' })).status).toBe(
      400,
    )
  })

  it('remembers across a restart', async () => {
    const { url } = await aCheckout()
    await press(url, 'fail')
    await sandbox.stop()
    sandbox = openSandbox({ directory, publicUrl: address, secret: STANDARD_SECRET })
    expect(await page(url)).toContain('The payment failed')
    expect(await page(url)).toContain('payment.failed')
  })
})
