import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { timestamp } from '#lib/kernel/clock'
import { newId, PaymentId, RefundId, UserId } from '#lib/kernel/id'
import type { Fact } from '#lib/payments/fact'
import { openPayment, type Payment, withFacts } from '#lib/payments/payment'
import { amountRefundedOf, PaymentStatus, statusOf } from '#lib/payments/payment-status'
import { viewOf } from '#lib/payments/payment-view'

const START = new Date('2026-11-20T12:00:00.000Z')
const LATER = new Date('2026-11-20T13:00:00.000Z')
const NEXT_WEEK = new Date('2026-11-27T12:00:00.000Z')
const ASKED = { amount: 10_000, currency: 'EUR' } as const
const at = (seconds: number) => timestamp(new Date(START.getTime() + seconds * 1000))

const opened: Payment = openPayment(
  PaymentId.parse(newId('payment')),
  UserId.parse(newId('user')),
  {
    provider: 'any',
    ...ASKED,
    purpose: 'rent',
    listingId: null,
    phone: null,
    returnUrl: null,
    metadata: null,
  },
  START,
)

const succeeded: Fact = { kind: 'succeeded', id: 'paid', at: at(10), money: ASKED }
const failed: Fact = {
  kind: 'failed',
  id: 'failed',
  at: at(5),
  final: true,
  code: 'declined',
  message: 'No.',
}
type RefundFact = Extract<Fact, { kind: 'refund' }>
const refund = (id: string, amount: number, more: Partial<RefundFact> = {}): Fact => ({
  kind: 'refund',
  id: `${id} ${more.state ?? 'succeeded'}`,
  at: at(20),
  money: { amount, currency: 'EUR' },
  state: 'succeeded',
  providerRefundId: id,
  refundId: null,
  reason: null,
  ...more,
})
const RFD = (digit: string) => RefundId.parse(`rfd_${digit.repeat(26)}`)
/** One of ours, as it was begun. */
const begun = (digit: string, amount: number, seconds = 15): Fact => {
  const ours = { id: RFD(digit), refundId: RFD(digit), providerRefundId: null }
  return refund('', amount, { ...ours, state: 'pending', at: at(seconds) })
}
/** What the provider answered to our request. */
const answered = (
  digit: string,
  amount: number,
  state: 'succeeded' | 'failed',
  providerRefundId: string | null,
): Fact =>
  refund('', amount, {
    id: `${RFD(digit)}:${state}`,
    refundId: RFD(digit),
    providerRefundId,
    state,
    at: at(18),
  })
const total = (amount: number, seconds: number): Fact => ({
  kind: 'refunded_total',
  id: `total ${amount} at ${seconds}`,
  at: at(seconds),
  money: { amount, currency: 'EUR' },
})
const dispute = (state: 'open' | 'won' | 'lost', disputeId = 'd1'): Fact => ({
  kind: 'dispute',
  id: `${disputeId} ${state}`,
  at: at(30),
  disputeId,
  state,
})

const told = (...facts: Fact[]): Payment =>
  facts.reduce((payment, fact) => withFacts(payment, [fact], [], LATER), opened)
const statusWith = (...facts: Fact[]) => statusOf(told(...facts), LATER)

const anyFact: fc.Arbitrary<Fact> = fc.oneof(
  fc.constantFrom(
    succeeded,
    { ...succeeded, id: 'paid too', at: at(40) },
    { kind: 'succeeded', id: 'paid less', at: at(1), money: { amount: 9_999, currency: 'EUR' } } as const,
    failed,
    { ...failed, id: 'declined once', final: false },
    { kind: 'cancelled', id: 'cancelled', at: at(6) } as const,
    { kind: 'expired', id: 'expired', at: at(7) } as const,
    { kind: 'processing', id: 'processing', at: at(2) } as const,
    dispute('open'),
    dispute('won'),
    dispute('lost'),
    dispute('open', 'd2'),
    dispute('won', 'd2'),
  ),
  fc.constantFrom(
    refund('1', 3_000),
    refund('1', 3_000, { state: 'pending', at: at(15) }),
    refund('1', 3_000, { state: 'failed', at: at(50) }),
    refund('2', 7_000),
    begun('7', 7_000, 14),
    answered('7', 7_000, 'succeeded', '2'),
    begun('8', 3_000),
    answered('8', 3_000, 'failed', null),
    total(3_000, 21),
    total(10_000, 22),
  ),
)

describe('the fold', () => {
  it('comes to the same whatever the order and the number of copies', () => {
    const lives = fc.uniqueArray(anyFact, { selector: ({ id }) => id, maxLength: 12 }).chain((facts) =>
      fc.record({
        facts: fc.constant(facts),
        orders: fc.tuple(shuffledWithCopies(facts), shuffledWithCopies(facts)),
      }),
    )
    fc.assert(
      fc.property(lives, fc.constantFrom(LATER, NEXT_WEEK), ({ orders: [one, other] }, now) => {
        const { version: _one, ...first } = viewable(told(...one), now)
        const { version: _other, ...second } = viewable(told(...other), now)
        expect(first).toEqual(second)
      }),
      { numRuns: 500 },
    )
  })

  it('never gives back more than was paid, nor anything before it was', () => {
    fc.assert(
      fc.property(fc.uniqueArray(anyFact, { selector: ({ id }) => id }), (facts) => {
        const payment = told(...facts)
        const refunded = amountRefundedOf(payment)
        expect(refunded).toBeLessThanOrEqual(ASKED.amount)
        const isPaid = facts.some((fact) => fact.kind === 'succeeded' && fact.money?.amount === ASKED.amount)
        if (!isPaid) expect(refunded).toBe(0)
      }),
    )
  })

  it('has a status for every precedence of the contract', () => {
    const facts: Fact[] = [
      dispute('lost'),
      dispute('open', 'd2'),
      refund('2', 10_000),
      refund('1', 3_000),
      succeeded,
    ]
    const states = [0, 1, 2, 3, 4].map((from) => statusWith(...facts.slice(from)))
    expect(states).toEqual(['CHARGED_BACK', 'DISPUTED', 'REFUNDED', 'PARTIALLY_REFUNDED', 'SUCCEEDED'])
    const unpaid: Fact[] = [
      { kind: 'cancelled', id: 'c', at: at(1) },
      failed,
      { kind: 'expired', id: 'e', at: at(1) },
      { kind: 'processing', id: 'p', at: at(1) },
    ]
    const others = [0, 1, 2, 3, 4].map((from) => statusWith(...unpaid.slice(from)))
    expect([...states, ...others]).toEqual(PaymentStatus.options)
  })
})

describe('a payment', () => {
  it('that is not paid in time is EXPIRED on being looked at', () => {
    expect(statusOf(opened, LATER)).toBe('PENDING')
    expect(statusOf(opened, new Date(opened.expiresAt))).toBe('EXPIRED')
    expect(viewOf(opened, NEXT_WEEK).events.at(-1)).toEqual({
      type: 'payment.expired',
      status: 'EXPIRED',
      at: opened.expiresAt,
    })
  })

  it('that is paid after its failure, cancellation or expiry is SUCCEEDED: the money decides', () => {
    expect(statusWith(failed, succeeded)).toBe('SUCCEEDED')
    expect(statusWith({ kind: 'cancelled', id: 'c', at: at(1) }, succeeded)).toBe('SUCCEEDED')
    expect(statusOf(told({ ...succeeded, at: timestamp(NEXT_WEEK) }), NEXT_WEEK)).toBe('SUCCEEDED')
  })

  it('stays open after a failure that its provider does not call final, and says what went wrong', () => {
    const view = viewOf(told({ ...failed, final: false } as Fact), LATER)
    expect(view).toMatchObject({ status: 'PENDING', failure: { code: 'declined', message: 'No.' } })
    expect(viewOf(told(failed, succeeded), LATER).failure).toBeNull()
  })

  it('keeps a refund and a dispute that came before its success, and then counts them', () => {
    expect(statusWith(refund('1', 3_000), dispute('lost'))).toBe('PENDING')
    expect(statusWith(refund('1', 3_000), succeeded)).toBe('PARTIALLY_REFUNDED')
    expect(statusWith(dispute('lost'), succeeded)).toBe('CHARGED_BACK')
  })

  it('does not succeed by another sum or another currency', () => {
    expect(statusWith({ ...succeeded, money: { amount: 9_999, currency: 'EUR' } } as Fact)).toBe('PENDING')
    expect(statusWith({ ...succeeded, money: { amount: 10_000, currency: 'USD' } } as Fact)).toBe('PENDING')
    expect(statusWith({ ...succeeded, money: null } as Fact)).toBe('PENDING')
  })
})

describe('refunds', () => {
  const shown = (...facts: Fact[]) => {
    const { refunds, amountRefunded } = viewOf(told(succeeded, ...facts), LATER)
    return { amountRefunded, refunds: refunds.map(({ id, status, amount }) => [id, status, amount]) }
  }
  const OTHER = expect.stringMatching(/^rfd_[0-9A-HJKMNP-TV-Z]{26}$/)

  it.each([
    ['before its answer', [begun('9', 4_000), refund('re', 4_000)]],
    ['beside its answer', [begun('9', 4_000), refund('re', 4_000), answered('9', 4_000, 'succeeded', 're')]],
    [
      'beside an answer without a name',
      [begun('9', 4_000), refund('re', 4_000), answered('9', 4_000, 'succeeded', null)],
    ],
  ])('are one when our own request and a notification speak of the same, %s', (_, facts) => {
    expect(shown(...facts)).toEqual({ amountRefunded: 4_000, refunds: [[RFD('9'), 'SUCCEEDED', 4_000]] })
  })

  it.each([
    ['ours failed', [begun('9', 500), answered('9', 500, 'failed', null), refund('re', 500)], 'FAILED', 500],
    [
      'ours has another name',
      [begun('9', 500), answered('9', 500, 'succeeded', 're_9'), refund('re', 500)],
      'SUCCEEDED',
      1_000,
    ],
    ['it is older than ours', [begun('9', 500, 2_000), refund('re', 500)], 'PENDING', 500],
    ['it is of another sum', [begun('9', 500), refund('re', 400)], 'PENDING', 400],
  ])('are two when %s, in whatever order that is heard', (_, facts, status, amountRefunded) => {
    for (const heard of [facts, facts.toReversed()]) {
      const { refunds, ...rest } = shown(...heard)
      expect(rest).toEqual({ amountRefunded })
      expect(refunds).toHaveLength(2)
      expect(refunds).toEqual(
        expect.arrayContaining([
          [RFD('9'), status, 500],
          [OTHER, 'SUCCEEDED', expect.any(Number)],
        ]),
      )
      expect(new Set(refunds.map(([id]) => id)).size).toBe(2)
    }
  })

  it('of the same sum keep to themselves, though the provider gives two requests one name', () => {
    const facts = ['1', '2'].flatMap((digit) => [begun(digit, 500), answered(digit, 500, 'succeeded', 're')])
    expect(shown(...facts, refund('re', 500))).toEqual({
      amountRefunded: 1_000,
      refunds: [
        [RFD('1'), 'SUCCEEDED', 500],
        [RFD('2'), 'SUCCEEDED', 500],
      ],
    })
  })

  it('without names are told from each other by what ours have come to', () => {
    const noted = (digit: string, state: 'pending' | 'succeeded' | 'failed', seconds: number): Fact =>
      refund('', 500, {
        id: `${digit} ${state}`,
        refundId: RFD(digit),
        providerRefundId: null,
        state,
        at: at(seconds),
      })
    const both = [begun('1', 500), noted('1', 'pending', 16), begun('2', 500, 17), noted('2', 'pending', 18)]
    expect(shown(...both, refund('R1', 500), noted('1', 'succeeded', 30))).toMatchObject({
      amountRefunded: 500,
    })
    expect(shown(...both, refund('R1', 500), noted('2', 'succeeded', 30))).toMatchObject({
      amountRefunded: 500,
    })
    const bounced = [begun('1', 500), noted('1', 'pending', 16), refund('R1', 500), noted('1', 'failed', 30)]
    expect(shown(...bounced)).toEqual({ amountRefunded: 0, refunds: [[RFD('1'), 'FAILED', 500]] })
    expect(shown(...bounced, refund('by hand', 500, { at: at(40) }))).toMatchObject({ amountRefunded: 500 })
    const failed = refund('R2', 500, { state: 'failed', at: at(21) })
    const ended = [...both, refund('R1', 500), failed, noted('1', 'succeeded', 30), noted('2', 'failed', 31)]
    expect(shown(...ended)).toEqual({
      amountRefunded: 500,
      refunds: [
        [RFD('1'), 'SUCCEEDED', 500],
        [RFD('2'), 'FAILED', 500],
      ],
    })
  })

  it('without names that failed are not taken for one by hand, however late their own failure is told', () => {
    const noted = { refundId: RFD('1'), providerRefundId: null }
    const ours = [begun('1', 500), refund('', 500, { ...noted, id: 'noted', state: 'failed', at: at(30) })]
    const waited = refund('', 500, { ...noted, id: 'waits', state: 'pending', at: at(16) })
    const late = refund('R1', 500, { state: 'failed', at: at(40) })
    expect(shown(...ours, waited, refund('by hand', 500), late)).toEqual({
      amountRefunded: 500,
      refunds: [
        [RFD('1'), 'FAILED', 500],
        [OTHER, 'SUCCEEDED', 500],
      ],
    })
  })

  it('that were begun long after a running total was counted are not in it', () => {
    const later = [begun('9', 500, 2_000), answered('9', 500, 'succeeded', 're')]
    expect(amountRefundedOf(told(succeeded, total(3_000, 21), ...later))).toBe(3_500)
    expect(amountRefundedOf(told(succeeded, total(3_000, 21), ...later, total(3_500, 2_100)))).toBe(3_500)
  })

  it('that were refused at once are taken from no running total', () => {
    const refused = [begun('9', 10_000), answered('9', 10_000, 'failed', null)]
    expect(amountRefundedOf(told(succeeded, ...refused, total(10_000, 16)))).toBe(10_000)
  })

  it('that fail late are given back to what may be refunded', () => {
    const bounced = refund('1', 3_000, { state: 'failed', at: at(60) })
    expect(statusWith(succeeded, refund('1', 3_000), bounced)).toBe('SUCCEEDED')
    expect(viewOf(told(succeeded, refund('1', 3_000), bounced), LATER)).toMatchObject({
      amountRefunded: 0,
      refunds: [{ status: 'FAILED' }],
    })
  })

  it('are not counted twice where the provider names them and keeps a running total', () => {
    expect(amountRefundedOf(told(succeeded, refund('1', 3_000), total(3_000, 21)))).toBe(3_000)
    expect(amountRefundedOf(told(succeeded, total(3_000, 21), total(10_000, 22)))).toBe(10_000)
    const bounced = refund('1', 3_000, { state: 'failed', at: at(60) })
    const begun = refund('1', 3_000, { state: 'pending', at: at(15) })
    expect(amountRefundedOf(told(succeeded, begun, total(3_000, 21), bounced))).toBe(0)
    // Ours is told to the millisecond, the provider's total in whole seconds.
    const sameSecond = refund('1', 3_000, { state: 'pending', at: at(21.897) })
    expect(amountRefundedOf(told(succeeded, sameSecond, total(3_000, 21), bounced))).toBe(0)
    const atOnce = refund('1', 3_000, { state: 'failed', at: at(21) })
    expect(amountRefundedOf(told(succeeded, sameSecond, total(3_000, 21), atOnce))).toBe(0)
  })
})

describe('what happened', () => {
  it('is told once for each thing, oldest first, with the status it led to', () => {
    const facts = [refund('1', 3_000), { ...succeeded, id: 'paid too', at: at(11) }, succeeded, failed]
    expect(viewOf(told(...(facts as Fact[])), LATER).events).toEqual([
      { type: 'payment.created', status: 'PENDING', at: at(0) },
      { type: 'payment.failed', status: 'FAILED', at: at(5) },
      { type: 'payment.succeeded', status: 'SUCCEEDED', at: at(10) },
      { type: 'payment.refunded', status: 'PARTIALLY_REFUNDED', at: at(20) },
    ])
  })
})

/** Everything of a payment that must not depend on the order, as its payer sees it. */
const viewable = (payment: Payment, now: Date) => ({ ...viewOf(payment, now), version: payment.version })

const shuffledWithCopies = (facts: Fact[]): fc.Arbitrary<Fact[]> =>
  fc
    .tuple(fc.shuffledSubarray(facts, { minLength: facts.length }), fc.shuffledSubarray(facts))
    .map(([all, copies]) => [...all, ...copies])
