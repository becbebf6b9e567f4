import { describe, expect, it } from 'vitest'
import { spec as getPaymentInFull } from '#functions/payments/get-payment-in-full'
import { newId } from '#lib/kernel/id'
import { hmac } from '#lib/kernel/signatures'
import type { Fact } from '#lib/payments/state/fact'
import { foldOf } from '#lib/payments/state/fold'
import { adyenSignature } from '#lib/providers/adapters/adyen'
import type { ProviderEvent, ProviderHttp } from '#lib/providers/provider'
import { call } from '#test/support/call'
import { deliver } from '#test/support/callbacks'
import { aCustomer } from '#test/support/enquiries'
import { consoleToken } from '#test/support/given'
import { aPayment } from '#test/support/payments'
import { SETTINGS, testProviders } from '#test/support/providers'

type Items = readonly (readonly [eventCode: string, more?: object])[]

const itemOf = (eventCode: string, more: object = {}) => ({
  eventCode,
  pspReference: `PSP_${eventCode}`,
  originalReference: 'PAYMENT',
  merchantAccountCode: 'MarketECOM',
  merchantReference: 'any',
  amount: { value: 12_550, currency: 'EUR' },
  success: 'true',
  ...more,
})

/** The events of some items, in the order of their arrival. */
async function eventsOf(items: Items): Promise<ProviderEvent[]> {
  const provider = await testProviders().find('adyen')
  const events: ProviderEvent[] = []
  for (const [eventCode, more] of items) {
    const item = { ...itemOf(eventCode, more), additionalData: { hmacSignature: 'any' } }
    const rawBody = Buffer.from(JSON.stringify({ notificationItems: [{ NotificationRequestItem: item }] }))
    events.push(
      ...((await provider?.interpret({ method: 'POST', rawBody, headers: {}, rawQuery: '' })) ?? []),
    )
  }
  return events
}

/** The same as facts of one payment. */
const factsOf = async (items: Items): Promise<Fact[]> =>
  (await eventsOf(items)).flatMap(({ eventId, statement }) =>
    statement ? [{ ...statement, id: eventId }] : [],
  )

const paymentAfter = async (items: Items) =>
  ({ amount: 12_550, currency: 'EUR', facts: await factsOf(items), attempts: {} }) as const
const disputesAfter = async (...items: Items) => foldOf(await paymentAfter(items)).disputes
const chargesAfter = async (...items: Items) => foldOf(await paymentAfter(items)).charges

/** Every order of some items. */
const orders = (items: Items): Items[] =>
  items.length < 2
    ? [items]
    : items.flatMap((first, place) => orders(items.toSpliced(place, 1)).map((rest) => [first, ...rest]))

const KEY = Buffer.from('44782DEF547AAA06C910C43932B1EB0C', 'hex')

const DISPUTE = { pspReference: 'DISPUTE' }

describe('a dispute at Adyen', () => {
  it.each([
    [['REQUEST_FOR_INFORMATION'], 'inquiry'],
    [['REQUEST_FOR_INFORMATION', 'NOTIFICATION_OF_CHARGEBACK', 'CHARGEBACK'], 'open'],
    [['CHARGEBACK', 'DISPUTE_DEFENSE_PERIOD_ENDED'], 'lost'],
    [['CHARGEBACK', 'CHARGEBACK_REVERSED'], 'won'],
    [['CHARGEBACK', 'CHARGEBACK_REVERSED', 'SECOND_CHARGEBACK'], 'lost'],
    [['CHARGEBACK', 'CHARGEBACK_REVERSED', 'PREARBITRATION_OPEN'], 'open'],
    [['CHARGEBACK', 'CHARGEBACK_REVERSED', 'PREARBITRATION_OPEN', 'PREARBITRATION_LOST'], 'lost'],
    [['CHARGEBACK', 'SECOND_CHARGEBACK', 'PREARBITRATION_OPEN', 'PREARBITRATION_WON'], 'won'],
    [['CHARGEBACK', 'PREARBITRATION_WON', 'SCHEME_ARBITRATION'], 'open'],
    [['CHARGEBACK', 'PREARBITRATION_DECLINED', 'SCHEME_ARBITRATION', 'SCHEME_ARBITRATION_LOST'], 'lost'],
    [['CHARGEBACK', 'PREARBITRATION_DECLINED', 'SCHEME_ARBITRATION', 'SCHEME_ARBITRATION_WON'], 'won'],
  ])('ends alike in whatever order its stages %j arrive: %s', async (stages, state) => {
    const named = stages.map((stage) => [stage, DISPUTE] as const)
    for (const items of [named, named.toReversed()])
      expect(await disputesAfter(...items)).toMatchObject([
        { id: 'DISPUTE', chargeId: 'PAYMENT', state, amount: 12_550 },
      ])
  })

  it('is another one under another reference of the same payment', async () => {
    const second = { pspReference: 'DISPUTE_2', amount: { value: 3_000, currency: 'EUR' } }
    const items: Items = [
      ['CHARGEBACK', DISPUTE],
      ['CHARGEBACK_REVERSED', DISPUTE],
      ['CHARGEBACK', second],
    ]
    expect(await disputesAfter(...items)).toMatchObject([
      { id: 'DISPUTE', state: 'won' },
      { id: 'DISPUTE_2', state: 'open', amount: 3_000 },
    ])
  })

  it('may be about a part of the payment', async () => {
    const part = { amount: { value: 5_000, currency: 'EUR' } }
    expect(await disputesAfter(['CHARGEBACK', part])).toMatchObject([{ state: 'open', amount: 5_000 }])
  })

  it('does not follow from an alert about fraud, or from a document of ours', async () => {
    expect(await factsOf([['NOTIFICATION_OF_FRAUD'], ['INFORMATION_SUPPLIED'], ['ISSUER_COMMENTS']])).toEqual(
      [],
    )
  })
})

const AUTHORISED = ['AUTHORISATION', { pspReference: 'PAYMENT', originalReference: '' }] as const
const FAILURES: [eventCode: string, more: object][] = [
  ['CAPTURE_FAILED', { pspReference: 'CAPTURE_1' }],
  ['CAPTURE', { pspReference: 'CAPTURE_1', success: 'false' }],
  ['CANCELLATION', { pspReference: 'CANCEL_1' }],
]

describe('a payment at Adyen', () => {
  it('is one charge by its authorisation and by its capture', async () => {
    expect(await chargesAfter(AUTHORISED, ['CAPTURE'])).toMatchObject([{ id: 'PAYMENT' }])
  })

  it.each(FAILURES)('loses its money by %s, and has it again by another capture', async (eventCode, more) => {
    const failure = [eventCode, more] as const
    const again = ['CAPTURE', { pspReference: 'CAPTURE_2' }] as const
    for (const items of orders([AUTHORISED, failure]))
      expect(await chargesAfter(...items)).toMatchObject([{ state: 'taken_back' }])
    for (const items of orders([AUTHORISED, failure, again]))
      expect(await chargesAfter(...items)).toMatchObject([{ id: 'PAYMENT', money: { amount: 12_550 } }])
  })

  it('keeps its money where a cancellation was refused', async () => {
    const refused = ['CANCELLATION', { success: 'false' }] as const
    expect(await chargesAfter(AUTHORISED, refused)).toMatchObject([{ id: 'PAYMENT' }])
  })

  it('loses the money of a capture that was reported before it failed', async () => {
    const capture = { pspReference: 'CAPTURE_1' }
    for (const items of orders([AUTHORISED, ['CAPTURE', capture], ['CAPTURE_FAILED', capture]]))
      expect(await chargesAfter(...items)).toMatchObject([{ state: 'taken_back' }])
  })

  it('is FAILED once its capture failed, needs someone, and SUCCEEDED by a later capture', async () => {
    const user = await aCustomer()
    const http: ProviderHttp = async () => ({
      status: 201,
      body: JSON.stringify({ id: 'PL1', url: 'https://pay.example/1' }),
    })
    const providers = testProviders(SETTINGS, { http })
    const { id } = await aPayment(user, { provider: 'adyen' }, providers)
    const original = `PSP${id.slice(-13)}`
    const send = async (...[eventCode, more]: Items[number]) => {
      const item = {
        ...itemOf(eventCode, { pspReference: `${eventCode}${id.slice(-13)}`, originalReference: original }),
        merchantReference: id,
        ...more,
      }
      const additionalData = { hmacSignature: adyenSignature(KEY, item) }
      const notificationItems = [{ NotificationRequestItem: { ...item, additionalData } }]
      const rawBody = JSON.stringify({ notificationItems })
      expect(await deliver({ provider: 'adyen', headers: {}, rawBody })).toMatchObject({ status: 200 })
      return call(getPaymentInFull, { token: await consoleToken(), params: { id } })
    }
    const on = (day: string) => ({ eventDate: `${day}T10:00:00+00:00` })
    const begun = { pspReference: original, originalReference: '', ...on('2026-11-01') }
    expect((await send('AUTHORISATION', begun)).body).toMatchObject({ status: 'SUCCEEDED', attention: [] })
    expect((await send('CAPTURE_FAILED', on('2026-11-02'))).body).toMatchObject({
      status: 'FAILED',
      failure: { code: 'capture_failed' },
      attention: [{ code: 'capture_failed' }],
    })
    const { body } = await send('CAPTURE', on('2026-11-03'))
    expect(body).toMatchObject({ status: 'SUCCEEDED', attention: [] })
    expect(body.events.map(({ status }) => status)).toEqual(['PENDING', 'SUCCEEDED', 'FAILED', 'SUCCEEDED'])
  })

  it('is not named by what a person writes beside a change, who may write the same beside many', async () => {
    const byHand = { merchantReference: 'by hand' }
    const changes = ['REFUND', 'REFUND_FAILED', 'CAPTURE', 'CANCELLATION'].map(
      (type) => [type, byHand] as const,
    )
    for (const { references } of await eventsOf(changes)) expect(references).toEqual(['PAYMENT'])
    const id = newId('payment')
    const [named] = await eventsOf([['REFUND', { merchantReference: id }]])
    expect(named?.references).toEqual([id, 'PAYMENT'])
  })
})

describe('a signature of Adyen', () => {
  // As the official SDKs verify it: what a webhook lacks is signed as an empty text.
  it('covers a webhook without a reference', async () => {
    const { merchantReference: _, ...item } = itemOf('OFFER_CLOSED')
    const signed = 'PSP_OFFER_CLOSED:PAYMENT:MarketECOM::12550:EUR:OFFER_CLOSED:true'
    const additionalData = { hmacSignature: hmac('sha256', KEY, [signed], 'base64') }
    const rawBody = JSON.stringify({
      notificationItems: [{ NotificationRequestItem: { ...item, additionalData } }],
    })
    expect(await deliver({ provider: 'adyen', headers: {}, rawBody })).toMatchObject({ status: 200 })
  })
})

describe('a report at Adyen', () => {
  // As Adyen sends it: without a signature, and without a reference of ours.
  const REPORT = {
    amount: { currency: 'EUR', value: 0 },
    eventCode: 'REPORT_AVAILABLE',
    eventDate: '2026-11-18T06:14:02+01:00',
    merchantAccountCode: 'MarketECOM',
    pspReference: 'settlement_detail_report_batch_1.csv',
    reason: 'https://ca-test.adyen.com/reports/download/settlement_detail_report_batch_1.csv',
    success: 'true',
  }
  const send = (...items: object[]) => {
    const notificationItems = items.map((item) => ({ NotificationRequestItem: item }))
    return deliver({
      provider: 'adyen',
      headers: {},
      rawBody: JSON.stringify({ live: 'false', notificationItems }),
    })
  }

  it('is never signed, and is accepted: what Adyen sends after a refused webhook waits for it', async () => {
    expect(await send(REPORT)).toMatchObject({ status: 200 })
  })

  it('lets nothing else through without a signature', async () => {
    const payment = itemOf('AUTHORISATION')
    for (const items of [[payment], [REPORT, payment], []])
      expect(await send(...items)).toMatchObject({ status: 401 })
    const signed = { ...REPORT, additionalData: { hmacSignature: 'wrong' } }
    expect(await send(signed)).toMatchObject({ status: 401 })
  })
})
