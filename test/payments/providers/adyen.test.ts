import { describe, expect, it } from 'vitest'
import { disputesOf } from '#lib/payments/dispute'
import type { Fact } from '#lib/payments/fact'
import { testProviders } from '#test/support/providers'

/** The items of callbacks, as facts of one payment in the order of their arrival. */
async function factsOf(items: readonly (readonly [eventCode: string, more?: object])[]): Promise<Fact[]> {
  const provider = await testProviders().find('adyen')
  const facts: Fact[] = []
  for (const [eventCode, more] of items) {
    const item = {
      eventCode,
      pspReference: `PSP_${eventCode}`,
      originalReference: 'PAYMENT',
      merchantAccountCode: 'MarketECOM',
      merchantReference: 'any',
      amount: { value: 12_550, currency: 'EUR' },
      success: 'true',
      additionalData: { hmacSignature: 'any' },
      ...more,
    }
    const rawBody = Buffer.from(JSON.stringify({ notificationItems: [{ NotificationRequestItem: item }] }))
    const events = (await provider?.translate({ method: 'POST', rawBody, headers: {}, rawQuery: '' })) ?? []
    facts.push(
      ...events.flatMap(({ eventId, statement }) => (statement ? [{ ...statement, id: eventId }] : [])),
    )
  }
  return facts
}

const disputeAfter = async (...items: Parameters<typeof factsOf>[0]) =>
  disputesOf({ amount: 12_550, currency: 'EUR', facts: await factsOf(items) })

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
  ])('is one for each payment, in whatever order its stages %j arrive: %s', async (stages, state) => {
    const named = stages.map((stage) => [stage] as const)
    for (const items of [named, named.toReversed()])
      expect(await disputeAfter(...items)).toMatchObject([
        { id: 'PAYMENT', chargeId: 'PAYMENT', state, amount: 12_550 },
      ])
  })

  it('may be about a part of the payment', async () => {
    const part = { amount: { value: 5_000, currency: 'EUR' } }
    expect(await disputeAfter(['CHARGEBACK', part])).toMatchObject([{ state: 'open', amount: 5_000 }])
  })

  it('is not what an alert about fraud, or a document of ours, is about', async () => {
    expect(await factsOf([['NOTIFICATION_OF_FRAUD'], ['INFORMATION_SUPPLIED'], ['ISSUER_COMMENTS']])).toEqual(
      [],
    )
  })
})

describe('a payment at Adyen', () => {
  it('is one charge by its authorisation and by its capture', async () => {
    const authorised = { pspReference: 'PAYMENT', originalReference: '' }
    expect(await factsOf([['AUTHORISATION', authorised], ['CAPTURE']])).toMatchObject([
      { kind: 'succeeded', chargeId: 'PAYMENT' },
      { kind: 'succeeded', chargeId: 'PAYMENT' },
    ])
  })
})
