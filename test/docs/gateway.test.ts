import type { ChildProcess } from 'node:child_process'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { spec as callback } from '#functions/payments/payment-callback'
import { STANDARD_SECRET } from '#test/providers/adapters/example'
import { call } from '#test/support/call'
import { aCustomer } from '#test/support/enquiries'
import type { GivenUser } from '#test/support/given'
import { freePort, type GuideProgram, guideProgram } from '#test/support/guide-program'
import { aPayment, paymentOf } from '#test/support/payments'
import { testProviders } from '#test/support/providers'

const LINES_MAX = 60
const PARAMETERS = ['paymentId', 'amount', 'currency', 'returnUrl', 'expiresAt', 'signature']

let user: GivenUser
let service: Server
let program: GuideProgram
let gateway: ChildProcess
let providers: ReturnType<typeof testProviders>
let gatewayUrl: string
const answers: number[] = []
let failures = 1

beforeAll(async () => {
  user = await aCustomer()
  const port = await freePort()
  gatewayUrl = `http://127.0.0.1:${port}`
  const query = PARAMETERS.map((name) => `${name}={${name}}`).join('&')
  const account = { webhookSecrets: [STANDARD_SECRET], checkoutUrl: `${gatewayUrl}/pay?${query}` }
  providers = testProviders({ 'my-gateway': { provider: 'standard-webhooks', ...account } })
  service = createServer(async (request, response) => {
    const rawBody = await buffer(request)
    const headers = request.headers as Record<string, string>
    const params = { provider: 'my-gateway' }
    // The service is down once, so that the gateway has to send its message again.
    const answer =
      failures-- > 0
        ? { status: 503, text: '' }
        : await call(callback, { params, headers, rawBody, deps: { providers } })
    answers.push(answer.status)
    response.writeHead(answer.status).end(answer.text)
  })
  await new Promise<void>((resolve) => void service.listen(0, '127.0.0.1', resolve))
  program = await guideProgram('gateway')
  const callbackUrl = `http://127.0.0.1:${(service.address() as AddressInfo).port}/`
  gateway = program.start({ SECRET: STANDARD_SECRET, CALLBACK_URL: callbackUrl, PORT: `${port}` })
  for (let tries = 0; tries < 100; tries += 1) {
    if (await fetch(gatewayUrl).catch(() => undefined)) return
    await sleep(50)
  }
})
afterAll(async () => {
  gateway.kill()
  service.close()
  await program.remove()
})

const aGatewayPayment = () =>
  aPayment(user, { provider: 'my-gateway', returnUrl: 'https://www.platform.test/paid' }, providers)
const press = (url: string, action: string) =>
  fetch(url, { method: 'POST', body: new URLSearchParams({ action }), redirect: 'manual' })
const statusOf = async (id: string) => (await paymentOf(user, id)).status

describe('the gateway of the guide', () => {
  it('has fewer than sixty lines', () => {
    expect(program.code.trimEnd().split('\n').length).toBeLessThan(LINES_MAX)
  })

  it('takes a payment, reports it until the service has it, sends the payer back, and gives money back', async () => {
    const { id, checkout } = await aGatewayPayment()
    const url = checkout?.url ?? ''
    expect(await (await fetch(url)).text()).toContain('12550 minor units of EUR')
    const paid = await press(url, 'pay')
    expect([paid.status, paid.headers.get('location')]).toEqual([
      303,
      `https://www.platform.test/paid?payment=${id}`,
    ])
    await expect.poll(() => statusOf(id), { timeout: 10_000 }).toBe('SUCCEEDED')
    // The payment is stored before the gateway has the answer.
    await expect.poll(() => answers, { timeout: 10_000 }).toEqual([503, 200])
    await press(url, 'pay')
    const body = new URLSearchParams({ paymentId: id, amount: '50' })
    expect((await fetch(`${gatewayUrl}/refunds`, { method: 'POST', body })).status).toBe(201)
    expect(await paymentOf(user, id)).toMatchObject({ status: 'PARTIALLY_REFUNDED', amountRefunded: 50 })
    expect(answers).toEqual([503, 200, 200])
  })

  it('reports a payment that its payer gave up', async () => {
    const { id, checkout } = await aGatewayPayment()
    await press(checkout?.url ?? '', 'cancel')
    expect(await statusOf(id)).toBe('CANCELLED')
  })

  it('refuses an address in which the payer has changed the amount', async () => {
    const { id, checkout } = await aGatewayPayment()
    const url = (checkout?.url ?? '').replace('amount=12550', 'amount=1')
    expect((await press(url, 'pay')).status).toBe(403)
    expect(await statusOf(id)).toBe('PENDING')
  })
})
