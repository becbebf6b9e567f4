import { marshall } from '@aws-sdk/util-dynamodb'
import { expect, it } from 'vitest'
import { timestamp } from '#lib/kernel/clock'
import { newId } from '#lib/kernel/id'
import { giveUp } from '#lib/payments/change/give-up'
import { areFull, type Fact } from '#lib/payments/state/fact'
import { openPayment, withFacts } from '#lib/payments/state/payment'
import { statusOf } from '#lib/payments/state/payment-status'

const ITEM_MAX_BYTES = 400 * 1024

const opened = openPayment(
  newId('payment'),
  newId('user'),
  {
    provider: 'played',
    amount: 100,
    currency: 'EUR',
    purpose: 'rent',
    listingId: null,
    phone: null,
    metadata: null,
    returnUrl: null,
  },
  new Date(),
)

/** The longest fact there is, in characters of which each takes four bytes. */
const longest = (place: number): Fact => ({
  id: `${place}`.padStart(300, '-'),
  kind: 'refund',
  at: timestamp(new Date()),
  money: { amount: 1, currency: 'EUR' },
  state: 'failed',
  providerRefundId: `${place}`.padStart(255, 're'),
  refundId: null,
  chargeId: 'c'.repeat(255),
  reason: '😀'.repeat(1000),
})

const manyOf = (count: number) => Array.from({ length: count }, (_, place) => longest(place))

it('However much a provider says of a payment, the payment stays an item that the table can hold.', () => {
  const full = manyOf(400).reduce((payment, fact) => withFacts(payment, [fact]), opened)
  const atOnce = withFacts(opened, manyOf(400))
  for (const payment of [full, atOnce]) {
    expect(payment.facts.length).toBeGreaterThan(50)
    expect(areFull(payment.facts)).toBe(true)
    expect(JSON.stringify(marshall(payment)).length).toBeLessThan(ITEM_MAX_BYTES)
  }
})

it('A payment has room for every fact of a long life.', () => {
  expect(withFacts(opened, manyOf(50)).facts).toHaveLength(50)
  expect(areFull(withFacts(opened, manyOf(50)).facts)).toBe(false)
})

it('A fact for which a payment has no room leaves what there is to the smaller ones of the same reading.', () => {
  const full = withFacts(opened, manyOf(400))
  const small: Fact = { id: 'small', kind: 'expired', at: timestamp(new Date()) }
  const read = withFacts(full, [longest(400), small])
  expect(read.facts.slice(full.facts.length)).toEqual([small])
})

it('A payment has room for our own cancellation, however much its provider says of it.', () => {
  const refusal = (place: number): Fact => ({
    id: `${place}`,
    kind: 'failed',
    at: timestamp(new Date()),
    final: false,
    code: '',
    message: '',
  })
  const many = Array.from({ length: 5_000 }, (_, place) => refusal(place))
  const full = withFacts(opened, [...manyOf(58), ...many])
  const given = giveUp(full, new Date())
  expect(given.facts.length).toBe(full.facts.length + 1)
  expect(statusOf(given, new Date())).toBe('CANCELLED')
})
