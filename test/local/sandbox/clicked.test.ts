import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { spec as cancelPayment } from '#functions/payments/cancel-payment'
import { spec as getPaymentInFull } from '#functions/payments/get-payment-in-full'
import { spec as refundPayment } from '#functions/payments/refund-payment'
import { openSandbox, type Sandbox } from '#lib/local/sandbox/sandbox-server'
import { providerHttp } from '#lib/providers/http'
import type { Providers } from '#lib/providers/registry'
import { STANDARD_SECRET } from '#test/providers/adapters/example'
import { call } from '#test/support/call'
import { deliver } from '#test/support/callbacks'
import { aUser, consoleToken, type GivenUser } from '#test/support/given'
import { aPayment, paymentOf } from '#test/support/payments'
import { testProviders } from '#test/support/providers'

let server: Server
let sandbox: Sandbox
let directory: string
let providers: Providers
let user: GivenUser
let token: string

/** The pages of the sandbox and the callback of the service at one address, as on the local stack. */
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'sandbox-'))
  server = createServer(async (request, response) => {
    const url = new URL(request.url ?? '/', 'http://localhost')
    const route = sandbox.routes.find(
      ({ method, path }) => method === request.method && url.pathname.startsWith(path),
    )
    if (route) return void route.handle(request, response, url)
    const headers = request.headers as Record<string, string>
    const { status } = await deliver(
      { provider: 'sandbox', headers, rawBody: await text(request) },
      { providers },
    )
    response.writeHead(status).end()
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  sandbox = openSandbox({ directory, publicUrl: address, secret: STANDARD_SECRET })
  const settings = { sandbox: { webhookSecrets: [STANDARD_SECRET], apiBase: `${address}/local/sandbox` } }
  providers = testProviders(settings, { http: providerHttp })
  user = await aUser()
  token = await consoleToken()
})
afterAll(async () => {
  await sandbox.stop()
  server.close()
  await rm(directory, { recursive: true, force: true, maxRetries: 5 })
})

const started = async () => {
  const payment = await aPayment(user, { provider: 'sandbox' }, providers)
  const page = payment.checkout?.url ?? ''
  return { payment, page }
}

/** Finds a button by its label on the page, and sends its form as a browser without script does. */
async function click(page: string, label: string, more: Record<string, string> = {}): Promise<void> {
  const html = await (await fetch(page)).text()
  const form = html
    .match(/<form method="post">.*?<\/form>/gs)
    ?.findLast((each) => each.includes(`<button>${label}<`))
  if (!form) throw new Error(`The page has no button ${label}`)
  const fields = [...form.matchAll(/name="(\w+)" value="([^"]*)"/g)].map(([, name = '', value = '']) => [
    name,
    value,
  ])
  const body = new URLSearchParams({ ...Object.fromEntries(fields), ...more })
  const { status } = await fetch(page, { method: 'POST', body, redirect: 'manual' })
  expect(status).toBe(303)
}

const statusOf = async (id: string) => (await paymentOf(user, id)).status
type InFull = { charges: object[]; disputes: object[]; attention: { code: string }[] }
const inFull = async (id: string): Promise<InFull> =>
  (await call(getPaymentInFull, { token, params: { id } })).body

describe('the page of the sandbox, clicked', () => {
  it.each([
    ['Pay', 'SUCCEEDED'],
    ['Fail', 'FAILED'],
    ['Cancel', 'CANCELLED'],
    ['Deliver twice', 'SUCCEEDED'],
  ])('%s makes the payment %s', async (label, status) => {
    const { payment, page } = await started()
    await click(page, label)
    expect(await statusOf(payment.id)).toBe(status)
  })

  it('delivers late a success that then goes before the cancellation', async () => {
    const { payment, page } = await started()
    await click(page, 'Deliver late')
    const cancelled = await call(cancelPayment, {
      token: user.token,
      params: { id: payment.id },
      deps: { providers },
    })
    expect(cancelled.body).toMatchObject({ status: 'CANCELLED' })
    await expect.poll(() => statusOf(payment.id), { timeout: 8_000 }).toBe('SUCCEEDED')
  })

  it('gives back in part and then all', async () => {
    const { payment, page } = await started()
    await click(page, 'Pay')
    await click(page, 'Refund', { amount: '25.50' })
    expect(await paymentOf(user, payment.id)).toMatchObject({
      status: 'PARTIALLY_REFUNDED',
      amountRefunded: 2_550,
    })
    await click(page, 'Refund')
    expect(await paymentOf(user, payment.id)).toMatchObject({ status: 'REFUNDED', amountRefunded: 12_550 })
  })

  it('disputes, loses, and wins what was lost', async () => {
    const { payment, page } = await started()
    await click(page, 'Pay')
    await click(page, 'Dispute')
    expect(await statusOf(payment.id)).toBe('DISPUTED')
    expect(await inFull(payment.id)).toMatchObject({ attention: [{ code: 'dispute_due' }] })
    await click(page, 'Lose the dispute')
    expect(await statusOf(payment.id)).toBe('CHARGED_BACK')
    await click(page, 'Win')
    expect(await statusOf(payment.id)).toBe('SUCCEEDED')
    expect(await inFull(payment.id)).toMatchObject({ attention: [], disputes: [{ state: 'WON' }] })
  })

  it('pays a second time, which needs someone until that charge is given back', async () => {
    const { payment, page } = await started()
    await click(page, 'Pay')
    await click(page, 'Pay again')
    const paidTwice = await inFull(payment.id)
    expect(paidTwice.attention).toMatchObject([{ code: 'second_charge' }])
    const { id: chargeId } = paidTwice.charges[1] as { id: string }
    const refunded = await call(refundPayment, {
      token,
      params: { id: payment.id },
      body: { chargeId },
      deps: { providers },
    })
    expect(refunded.body).toMatchObject({ status: 'SUCCEEDED', chargeId, amount: 12_550 })
    expect(await inFull(payment.id)).toMatchObject({ attention: [], status: 'SUCCEEDED', amountRefunded: 0 })
  })
})
