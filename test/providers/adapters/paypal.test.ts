import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { DomainError } from '#lib/kernel/domain-error'
import { foldOf } from '#lib/payments/state/fold'
import { provider as paypal } from '#lib/providers/adapters/paypal'
import type { ProviderRequest } from '#lib/providers/provider'
import { SETTINGS } from '#test/support/providers'
import { example } from './examples/paypal.ts'
import { refundOf } from './speak.ts'

/** One signed callback, and certificates of its key under several issuers. */
const { now, webhookId, headers, rawBody, roots, served } = JSON.parse(
  readFileSync(new URL('../../support/paypal-certificates.json', import.meta.url), 'utf8'),
)
const CALLBACK = { method: 'POST', rawBody: Buffer.from(rawBody), headers, rawQuery: '' }
const CERTIFICATE = '/v1/notifications/certs/CERT-1'

type Settings = { certificateRoots?: string | undefined; apiBase?: string; webhookId?: string }
type Played = {
  certificate?: string | undefined
  answer?: string
  at?: string
  settings?: Settings
  /** What the API answers, by path. */
  script?: Record<string, unknown>
}

/** PayPal that serves a certificate, or none, and what its verification call answers. */
function open({ certificate, answer = 'FAILURE', at = now, settings, script = {} }: Played) {
  const requests: string[] = []
  const http = async ({ url }: ProviderRequest) => {
    requests.push(url)
    const played = script[new URL(url).pathname]
    if (played) return { status: 200, body: JSON.stringify(played) }
    if (url.endsWith('/token')) return { status: 200, body: '{"access_token":"t","expires_in":900}' }
    if (url.endsWith('/verify-webhook-signature'))
      return { status: 200, body: JSON.stringify({ verification_status: answer }) }
    if (certificate === 'down') throw new DomainError('provider_unavailable')
    return certificate === undefined ? { status: 404, body: '{}' } : { status: 200, body: certificate }
  }
  const tools = {
    http,
    now: () => new Date(at),
    publicUrl: 'https://api.platform.test',
    callbackUrl: 'https://api.platform.test/payments/callback/paypal',
  }
  const provider = paypal.open(
    { ...SETTINGS['paypal'], webhookId, certificateRoots: roots.ours, ...settings },
    tools,
  )
  return { provider, requests }
}

const changed = (change: object) => ({ ...CALLBACK, headers: { ...headers, ...change } })

describe('a certificate of PayPal', () => {
  it.each([
    ['a chain to the root', true],
    ['a chain in another order, with its root', true],
    ['no intermediate', false],
    ['a certificate for another name', false],
    ['a certificate for a name that looks alike', false],
    ['an issuer that may not issue', false],
    ['an issuer that has expired', false],
    ['a chain to another root', false],
  ])('that is served with %s is trusted: %s', async (what, isTrusted) => {
    const { provider, requests } = open({ certificate: served[what] })
    expect(await provider.verify(CALLBACK)).toBe(isTrusted ? 'signed' : 'forged')
    expect(requests).toEqual([`https://api.paypal.com${CERTIFICATE}`])
  })

  it.each([
    ['2026-11-22T03:00:00Z', false],
    ['2036-11-01T00:00:00Z', true],
    ['2036-12-01T00:00:00Z', false],
  ])('is valid in its time only: %s', async (at, isValid) => {
    const { provider } = open({ certificate: served['a chain to the root'], at })
    expect(await provider.verify(CALLBACK)).toBe(isValid ? 'signed' : 'forged')
  })

  it('verifies the bytes, the id, the time and the webhook without asking PayPal', async () => {
    const certificate = served['a chain to the root']
    const { provider, requests } = open({ certificate })
    expect(await provider.verify(CALLBACK)).toBe('signed')
    expect(await provider.verify({ ...CALLBACK, rawBody: Buffer.from(`${rawBody} `) })).toBe('forged')
    for (const header of ['transmission-id', 'transmission-time', 'transmission-sig'])
      expect(await provider.verify(changed({ [`paypal-${header}`]: 'AAAA' }))).toBe('forged')
    const signature: string = headers['paypal-transmission-sig']
    // The character before the padding decodes to the same bytes with one of its unused bits set.
    const respelled = signature.replace(/.(?==+$)/, (last) => String.fromCharCode(last.charCodeAt(0) + 1))
    expect(await provider.verify(changed({ 'paypal-transmission-sig': respelled }))).toBe('forged')
    const other = open({ certificate, settings: { webhookId: 'WH-2' } })
    expect(await other.provider.verify(CALLBACK)).toBe('forged')
    expect(requests).toHaveLength(1)
  })

  it('is downloaded once, however many callbacks come at once', async () => {
    const { provider, requests } = open({ certificate: served['a chain to the root'] })
    const verdicts = await Promise.all(Array.from({ length: 50 }, () => provider.verify(CALLBACK)))
    expect(new Set(verdicts)).toEqual(new Set(['signed']))
    expect(requests).toHaveLength(1)
  })

  it('counts as a question where it is downloaded, and not while it is kept', async () => {
    const { provider } = open({ certificate: served['a chain to the root'] })
    let questions = 0
    const countQuestion = async () => {
      questions += 1
    }
    for (let copies = 0; copies < 3; copies += 1)
      expect(await provider.verify(CALLBACK, countQuestion)).toBe('signed')
    expect(questions).toBe(1)
  })

  it('is kept with nineteen others, however often each is used', async () => {
    const { provider, requests } = open({ certificate: served['a chain to the root'] })
    const addresses = Array.from({ length: 20 }, (_, place) => `https://api.paypal.com/certs/${place}`)
    for (const url of [...addresses, ...addresses])
      expect(await provider.verify(changed({ 'paypal-cert-url': url }))).toBe('signed')
    expect(requests).toEqual(addresses)
  })

  it('is downloaded from a stand-in where PayPal is one, by its path', async () => {
    const settings = { apiBase: 'http://127.0.0.1:9' }
    const { provider, requests } = open({ certificate: served['a chain to the root'], settings })
    expect(await provider.verify(CALLBACK)).toBe('signed')
    expect(requests).toEqual([`http://127.0.0.1:9${CERTIFICATE}`])
  })

  it.each([
    'http://api.paypal.com/c',
    'https://paypal.com.evil.example/c',
    'https://evilpaypal.com/c',
    'file:///etc/passwd',
    'x',
  ])('is never looked for anywhere else: %s', async (url) => {
    const { provider, requests } = open({ certificate: served['a chain to the root'] })
    expect(await provider.verify(changed({ 'paypal-cert-url': url }))).toBe('forged')
    expect(requests).toEqual([])
  })

  it('has to be PEM in the settings', () => {
    expect(() => open({ settings: { certificateRoots: 'x' } })).toThrow('is not PEM')
  })
})

describe('PayPal is asked', () => {
  it.each([
    ['is not served', undefined],
    ['is no certificate', '<html></html>'],
    ['cannot be downloaded', 'down'],
  ])('where its certificate %s', async (_, certificate) => {
    for (const [answer, verdict] of [
      ['SUCCESS', true],
      ['FAILURE', false],
    ] as const) {
      const { provider, requests } = open({ certificate, answer })
      expect(await provider.verify(CALLBACK)).toBe(verdict ? 'signed' : 'forged')
      expect(requests.at(-1)).toContain('/verify-webhook-signature')
    }
  })

  it('PayPal is asked where its certificates lead to no public root, and no roots are configured', async () => {
    for (const what of ['no intermediate', 'a chain to another root']) {
      const certificate = served[what]
      const asked = open({ certificate, answer: 'SUCCESS', settings: { certificateRoots: undefined } })
      expect(await asked.provider.verify(CALLBACK)).toBe('signed')
      expect(asked.requests.at(-1)).toContain('/verify-webhook-signature')
    }
  })

  it('only after the question was counted, and never once there were too many', async () => {
    const { provider, requests } = open({ certificate: undefined })
    const tooMany = async () => {
      throw new DomainError('unavailable')
    }
    await expect(provider.verify(CALLBACK, tooMany)).rejects.toMatchObject({ code: 'unavailable' })
    expect(requests).toEqual([])
  })
})

describe('money that PayPal pulled back', () => {
  const interpret = (event_type: string, resource: object) => {
    const { provider } = open({})
    const event = { id: 'WH-1', event_type, create_time: '2026-11-20T00:00:00Z', resource }
    return provider.interpret({ ...CALLBACK, rawBody: Buffer.from(JSON.stringify(event)) })
  }
  const links = [{ rel: 'up', href: 'https://api.paypal.com/v2/payments/captures/CAP1' }]
  const amount = { value: '50.00', currency_code: 'EUR' }

  it('is lost at once, by the capture that it was', async () => {
    expect(await interpret('PAYMENT.CAPTURE.REVERSED', { id: 'REV1', amount, links })).toMatchObject([
      {
        references: ['CAP1'],
        statement: {
          kind: 'dispute',
          disputeId: 'CAP1',
          state: 'lost',
          money: { amount: 5_000, currency: 'EUR' },
        },
      },
    ])
  })

  it.each([
    ['RESOLVED_SELLER_FAVOUR', ['won', 'won']],
    ['CANCELED_BY_BUYER', ['won', 'won']],
    ['RESOLVED_WITH_PAYOUT', ['won', 'won']],
    ['RESOLVED_BUYER_FAVOUR', ['lost']],
    ['ACCEPTED', ['lost']],
  ])('comes again when its dispute ends as %s', async (outcome_code, states) => {
    const resource = {
      dispute_id: 'PP-D-1',
      status: 'RESOLVED',
      dispute_life_cycle_stage: 'CHARGEBACK',
      dispute_outcome: { outcome_code },
      disputed_transactions: [{ seller_transaction_id: 'CAP1' }],
    }
    const events = await interpret('CUSTOMER.DISPUTE.RESOLVED', resource)
    expect(events.map(({ statement }) => statement && 'state' in statement && statement.state)).toEqual(
      states,
    )
    expect(new Set(events.map(({ eventId }) => eventId)).size).toBe(events.length)
  })

  it('comes again when the API says that its dispute was won, also where that callback was lost', async () => {
    const script: Record<string, unknown> = {
      '/v1/oauth2/token': { access_token: 't', expires_in: 900 },
      '/v2/checkout/orders/ORDER1': {
        id: 'ORDER1',
        status: 'COMPLETED',
        purchase_units: [{ payments: { captures: [{ id: 'CAP1', status: 'COMPLETED', amount }] } }],
      },
      '/v1/customer/disputes': { items: [{ dispute_id: 'PP-D-1', status: 'RESOLVED' }] },
      '/v1/customer/disputes/PP-D-1': {
        dispute_id: 'PP-D-1',
        status: 'RESOLVED',
        dispute_life_cycle_stage: 'CHARGEBACK',
        dispute_outcome: { outcome_code: 'RESOLVED_SELLER_FAVOUR' },
      },
    }
    const { provider } = open({ script })
    const reading = await provider.readPayment?.({ references: ['ORDER1'], payment: null })
    expect(reading?.disputes).toMatchObject([
      { disputeId: 'PP-D-1', state: 'won', chargeId: 'CAP1' },
      { disputeId: 'CAP1', state: 'won', chargeId: 'CAP1' },
    ])
  })

  // PayPal's API, "Show dispute details": a part of a transaction whose status is then REVERSED.
  it('counts once beside its dispute, whichever comes first', async () => {
    const money = (value: string) => ({ value, currency_code: 'USD' })
    const charge = { id: '3BC38643YC807283D', status: 'COMPLETED', amount: money('192.00') }
    const up = [{ rel: 'up', href: `https://api.paypal.com/v2/payments/captures/${charge.id}` }]
    const resolved = {
      dispute_id: 'PP-D-4012',
      update_time: '2019-04-21T04:19:08.000Z',
      status: 'RESOLVED',
      reason: 'MERCHANDISE_OR_SERVICE_NOT_AS_DESCRIBED',
      dispute_life_cycle_stage: 'CHARGEBACK',
      dispute_amount: money('96.00'),
      dispute_outcome: { outcome_code: 'RESOLVED_BUYER_FAVOUR', amount_refunded: money('96.00') },
      disputed_transactions: [{ seller_transaction_id: charge.id, transaction_status: 'REVERSED' }],
    }
    const stated = [
      await interpret('PAYMENT.CAPTURE.COMPLETED', charge),
      await interpret('PAYMENT.CAPTURE.REVERSED', { id: 'REV1', amount: money('96.00'), links: up }),
      await interpret('CUSTOMER.DISPUTE.RESOLVED', resolved),
    ].flatMap(([event], place) => (event?.statement ? [{ ...event.statement, id: `fact ${place}` }] : []))
    for (const facts of [stated, stated.toReversed()])
      expect(foldOf({ amount: 19_200, currency: 'USD', facts, attempts: {} }).disputes).toMatchObject([
        { id: charge.id, state: 'lost', amount: 0 },
        { id: 'PP-D-4012', state: 'lost', amount: 9_600 },
      ])
  })

  it('is not said to come again by a conversation that took none', async () => {
    const resource = {
      dispute_id: 'PP-D-1',
      status: 'RESOLVED',
      dispute_life_cycle_stage: 'INQUIRY',
      disputed_transactions: [{ seller_transaction_id: 'CAP1' }],
    }
    expect(await interpret('CUSTOMER.DISPUTE.RESOLVED', resource)).toHaveLength(1)
  })
})

describe('a refund of PayPal', () => {
  it.each([
    [undefined, 'pending'],
    [null, 'pending'],
    ['PENDING', 'pending'],
    ['COMPLETED', 'succeeded'],
    ['CANCELLED', 'failed'],
    ['FAILED', 'failed'],
  ])('whose status is %s is %s, when it is made and when it is read', async (status, state) => {
    const amount = { value: '50.00', currency_code: 'EUR' }
    const capture = { id: 'CAP1', status: 'COMPLETED', amount }
    const payments = { captures: [capture], refunds: [{ id: 'REF1', status, amount }] }
    const script: Record<string, unknown> = {
      '/v1/oauth2/token': { access_token: 't', expires_in: 900 },
      '/v2/checkout/orders/ORDER1': { id: 'ORDER1', status: 'COMPLETED', purchase_units: [{ payments }] },
      '/v1/customer/disputes': { items: [] },
      '/v2/payments/captures/CAP1/refund': { id: 'REF1', status },
    }
    const { provider } = open({ script })
    const reading = await provider.readPayment?.({ references: ['ORDER1'], payment: null })
    expect(reading?.refunds).toMatchObject([{ providerRefundId: 'REF1', state }])
    const order = { ...refundOf(example.conversation), chargeId: 'CAP1' }
    expect(await provider.startRefund?.(order)).toEqual({ state, providerRefundId: 'REF1' })
  })
})
