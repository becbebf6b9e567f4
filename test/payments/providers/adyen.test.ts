import { describe, expect, it } from 'vitest'
import { newId } from '#lib/kernel/id'
import { disputesOf } from '#lib/payments/dispute'
import type { Fact } from '#lib/payments/fact'
import type { ProviderEvent } from '#lib/payments/provider/provider'
import { testProviders } from '#test/support/providers'

type Items = readonly (readonly [eventCode: string, more?: object])[]

/** What the items of callbacks tell, in the order of their arrival. */
async function eventsOf(items: Items): Promise<ProviderEvent[]> {
  const provider = await testProviders().find('adyen')
  const told: ProviderEvent[] = []
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
    told.push(...((await provider?.translate({ method: 'POST', rawBody, headers: {}, rawQuery: '' })) ?? []))
  }
  return told
}

/** The same as facts of one payment. */
const factsOf = async (items: Items): Promise<Fact[]> =>
  (await eventsOf(items)).flatMap(({ eventId, statement }) =>
    statement ? [{ ...statement, id: eventId }] : [],
  )

const disputeAfter = async (...items: Items) =>
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
