import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { timestamp } from '#lib/kernel/clock'
import { newId, PaymentId, RefundId, UserId } from '#lib/kernel/id'
import { viewOf } from '#lib/payments/payment-view'
import type { Fact } from '#lib/payments/state/fact'
import { foldOf } from '#lib/payments/state/fold'
import { changesNothing } from '#lib/payments/state/merge'
import { openPayment, type Payment, revised, withFacts } from '#lib/payments/state/payment'
import { PaymentStatus, statusOf } from '#lib/payments/state/payment-status'

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
type DisputeFact = Extract<Fact, { kind: 'dispute' }>
const dispute = (state: DisputeFact['state'], disputeId = 'd1', more: Partial<DisputeFact> = {}): Fact => ({
  kind: 'dispute',
  id: `${disputeId} ${state} ${more.at ?? ''}`,
  at: at(30),
  disputeId,
  state,
  ...more,
})
const charge = (chargeId: string, amount = 10_000): Fact => ({
  kind: 'succeeded',
  id: `charge ${chargeId}`,
  at: at(10),
  money: { amount, currency: 'EUR' },
  chargeId,
})

const told = (...facts: Fact[]): Payment =>
  facts.reduce((payment, fact) => withFacts(payment, [fact]), opened)
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
    dispute('inquiry', 'd3'),
    { kind: 'fee', id: 'fee', at: at(11), feeId: 'fee', money: { amount: 30, currency: 'EUR' } } as const,
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
        const refunded = foldOf(payment).amountRefunded
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
      failed,
      { kind: 'cancelled', id: 'c', at: at(1) },
      { kind: 'expired', id: 'e', at: at(1) },
      { kind: 'processing', id: 'p', at: at(1) },
    ]
    const others = [0, 1, 2, 3, 4].map((from) => statusWith(...unpaid.slice(from)))
    expect([...states, ...others]).toEqual(PaymentStatus.options)
  })
})

describe('a payment', () => {
  it('an unpaid payment is EXPIRED after its time', () => {
    expect(statusOf(opened, LATER)).toBe('PENDING')
    expect(statusOf(opened, new Date(opened.expiresAt))).toBe('EXPIRED')
    expect(viewOf(opened, NEXT_WEEK).events.at(-1)).toEqual({
      type: 'payment.expired',
      status: 'EXPIRED',
      at: opened.expiresAt,
    })
  })

  it('a PROCESSING payment does not expire by time, nor when its payer gives it up', () => {
    const processing: Fact = { kind: 'processing', id: 'p', at: at(1) }
    const givenUp: Fact = { kind: 'cancelled', id: `cancelled:${opened.id}`, at: at(2) }
    expect(statusOf(told(processing, givenUp), NEXT_WEEK)).toBe('PROCESSING')
    expect(statusOf(told(givenUp), NEXT_WEEK)).toBe('CANCELLED')
    expect(statusOf(told(processing, { kind: 'expired', id: 'e', at: at(3) }), LATER)).toBe('EXPIRED')
  })

  it('is PROCESSING no longer once the provider has refused the very try, whatever came first', () => {
    const processing = (tryId: string): Fact => ({ kind: 'processing', id: `p ${tryId}`, at: at(1), tryId })
    const refused: Fact = { ...failed, final: false, at: at(2), tryId: 'one' }
    for (const facts of [
      [processing('one'), refused],
      [refused, processing('one')],
    ]) {
      expect(statusOf(told(...facts), LATER)).toBe('PENDING')
      expect(statusOf(told(...facts), NEXT_WEEK)).toBe('EXPIRED')
      expect(statusOf(told(...facts, processing('two')), NEXT_WEEK)).toBe('PROCESSING')
    }
  })

  it('is read again a day after its success', () => {
    expect(revised(opened, told({ ...charge('c1'), at: at(0) }), START).dueAt).toBe(at(24 * 3_600))
  })

  it('a payment that is paid after its failure, cancellation or expiry is SUCCEEDED: the money decides', () => {
    expect(statusWith(failed, succeeded)).toBe('SUCCEEDED')
    expect(statusWith({ kind: 'cancelled', id: 'c', at: at(1) }, succeeded)).toBe('SUCCEEDED')
    expect(statusOf(told({ ...succeeded, at: timestamp(NEXT_WEEK) }), NEXT_WEEK)).toBe('SUCCEEDED')
  })

  it('stays open after a failure that its provider does not call final, and says what went wrong', () => {
    const view = viewOf(told({ ...failed, final: false }), LATER)
    expect(view).toMatchObject({ status: 'PENDING', failure: { code: 'declined', message: 'No.' } })
    expect(viewOf(told(failed, succeeded), LATER).failure).toBeNull()
  })

  it('keeps a refund and a dispute that came before its success, and then counts them', () => {
    expect(statusWith(refund('1', 3_000), dispute('lost'))).toBe('PENDING')
    expect(statusWith(refund('1', 3_000), succeeded)).toBe('PARTIALLY_REFUNDED')
    expect(statusWith(dispute('lost'), succeeded)).toBe('CHARGED_BACK')
  })

  it('does not succeed by another sum or another currency', () => {
    expect(statusWith({ ...succeeded, money: { amount: 9_999, currency: 'EUR' } })).toBe('PENDING')
    expect(statusWith({ ...succeeded, money: { amount: 10_000, currency: 'USD' } })).toBe('PENDING')
    expect(statusWith({ ...succeeded, money: null })).toBe('PENDING')
  })
})

describe('refunds', () => {
  const shown = (...facts: Fact[]) => {
    const { refunds, amountRefunded } = viewOf(told(succeeded, ...facts), LATER)
    return { amountRefunded, refunds: refunds.map(({ id, status, amount }) => [id, status, amount]) }
  }
  const OTHER = expect.stringMatching(/^rfd_[0-9A-HJKMNP-TV-Z]{26}$/)

  it.each([
    ['before its answer', [begun('9', 4_000), refund('re', 4_000, { refundId: RFD('9') })]],
    ['beside its answer', [begun('9', 4_000), refund('re', 4_000), answered('9', 4_000, 'succeeded', 're')]],
  ])('are one when our own request and a callback name the same, %s', (_, facts) => {
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
    [
      'ours has no name yet, though the sums are the same',
      [begun('9', 500), refund('re', 500)],
      'PENDING',
      500,
    ],
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
    }
  })

  it('two attempts that both went through are two refunds, by the names that the provider gave them', () => {
    const both = ['re_1', 're_2'].map((id) => refund(id, 500, { refundId: RFD('9') }))
    expect(shown(begun('9', 500), ...both)).toEqual({
      amountRefunded: 1_000,
      refunds: [
        [RFD('9'), 'SUCCEEDED', 500],
        [OTHER, 'SUCCEEDED', 500],
      ],
    })
  })

  it('stand as an administrator has resolved them, until their provider says otherwise', () => {
    const attempt = {
      number: 1,
      at: at(15),
      calledAt: at(16),
      isUnsent: false,
      isReadable: true,
      listsLate: false,
      missedAt: null,
      misses: 2,
      isResolved: true,
    }
    const resolved = (state: 'done' | 'failed', ...later: Fact[]) => {
      const resolution: Fact = {
        kind: 'resolution',
        id: 'resolution',
        at: at(90),
        refundId: RFD('9'),
        outcome: state === 'done' ? 'succeeded' : 'failed',
        overrules: [RFD('9')],
        note: 'Seen in the dashboard',
      }
      const known = told(...later, resolution, succeeded, begun('9', 500))
      return viewOf({ ...known, attempts: { [RFD('9')]: { ...attempt, state } } }, LATER)
    }
    expect(resolved('done')).toMatchObject({ amountRefunded: 500, refunds: [{ status: 'SUCCEEDED' }] })
    expect(resolved('failed')).toMatchObject({ amountRefunded: 0, refunds: [{ status: 'FAILED' }] })
    const word = refund('re', 500, { refundId: RFD('9') })
    expect(resolved('failed', word)).toMatchObject({
      amountRefunded: 500,
      refunds: [{ status: 'SUCCEEDED' }],
    })
  })

  it('a refund that fails late can be refunded again', () => {
    const bounced = refund('1', 3_000, { state: 'failed', at: at(60) })
    expect(statusWith(succeeded, refund('1', 3_000), bounced)).toBe('SUCCEEDED')
    expect(viewOf(told(succeeded, refund('1', 3_000), bounced), LATER)).toMatchObject({
      amountRefunded: 0,
      refunds: [{ status: 'FAILED' }],
    })
  })
})

describe('a second charge', () => {
  it('changes no status, and what is given back of it is not given back of the payment', () => {
    const both = [charge('ch_1'), charge('ch_2')]
    expect(viewOf(told(...both), LATER)).toMatchObject({ status: 'SUCCEEDED', amountRefunded: 0 })
    expect(viewOf(told(...both, refund('r', 10_000, { chargeId: 'ch_2' })), LATER)).toMatchObject({
      status: 'SUCCEEDED',
      amountRefunded: 0,
    })
    expect(statusWith(...both, refund('r', 10_000, { chargeId: 'ch_1' }))).toBe('REFUNDED')
    expect(statusWith(...both, refund('r', 10_000))).toBe('REFUNDED')
  })

  it('is not made of a success whose provider names no charge', () => {
    expect(foldOf(told(succeeded, charge('ch_1'))).charges).toMatchObject([{ id: 'ch_1' }])
  })
})

describe('a dispute', () => {
  it('is what its provider said of it last, by the provider’s own time', () => {
    const [lost, won] = [dispute('lost', 'd1', { at: at(40) }), dispute('won', 'd1', { at: at(50) })]
    expect(statusWith(succeeded, lost, won)).toBe('SUCCEEDED')
    expect(statusWith(succeeded, won, lost)).toBe('SUCCEEDED')
    expect(statusWith(succeeded, won, dispute('lost', 'd1', { at: at(60) }))).toBe('CHARGED_BACK')
    // Of equal times the later in INQUIRY, OPEN, WON, LOST.
    expect(statusWith(succeeded, dispute('open'), dispute('won'))).toBe('SUCCEEDED')
  })

  it('takes no money while it is an inquiry', () => {
    expect(viewOf(told(succeeded, dispute('inquiry')), LATER)).toMatchObject({
      status: 'SUCCEEDED',
      amountDisputed: 0,
    })
  })

  it('covers a part, and at most the sum that was not given back', () => {
    const part = dispute('open', 'd1', { money: { amount: 4_000, currency: 'EUR' } })
    expect(viewOf(told(succeeded, part), LATER)).toMatchObject({ status: 'DISPUTED', amountDisputed: 4_000 })
    expect(viewOf(told(succeeded, refund('1', 7_000), part), LATER)).toMatchObject({ amountDisputed: 3_000 })
    expect(viewOf(told(succeeded, dispute('lost')), LATER)).toMatchObject({
      status: 'CHARGED_BACK',
      amountDisputed: 10_000,
    })
  })

  it('a dispute with the id of its charge is the same money as the named disputes of that charge', () => {
    const charge: Fact = { ...succeeded, chargeId: 'ch_1' }
    const of = (sum: number, seconds: number) => ({
      chargeId: 'ch_1',
      money: { amount: sum, currency: 'EUR' as const },
      at: at(seconds),
    })
    const reversed = dispute('lost', 'ch_1', of(4_000, 30))
    const named = dispute('open', 'd1', of(4_000, 20))
    expect(viewOf(told(charge, reversed), LATER)).toMatchObject({ amountDisputed: 4_000 })
    expect(viewOf(told(charge, reversed, named), LATER)).toMatchObject({
      status: 'CHARGED_BACK',
      amountDisputed: 4_000,
    })
    const larger = dispute('open', 'd1', of(7_000, 20))
    expect(viewOf(told(charge, larger, reversed), LATER)).toMatchObject({ amountDisputed: 7_000 })
    const won = dispute('won', 'd1', of(4_000, 40))
    expect(viewOf(told(charge, reversed, named, won), LATER)).toMatchObject({ amountDisputed: 4_000 })
    // One that only waited for its name has ended with that.
    const waiting = dispute('open', 'ch_1', of(10_000, 30))
    for (const [state, amountDisputed] of [
      ['open', 4_000],
      ['lost', 4_000],
      ['won', 0],
    ] as const)
      expect(viewOf(told(charge, waiting, dispute(state, 'd1', of(4_000, 50))), LATER).amountDisputed).toBe(
        amountDisputed,
      )
    expect(viewOf(told(charge, waiting, dispute('inquiry', 'd1', of(4_000, 50))), LATER)).toMatchObject({
      status: 'DISPUTED',
      amountDisputed: 10_000,
    })
    const ended = dispute('won', 'ch_1', of(4_000, 40))
    expect(viewOf(told(charge, reversed, named, won, ended), LATER)).toMatchObject({
      status: 'SUCCEEDED',
      amountDisputed: 0,
    })
  })
})

describe('what happened', () => {
  it('is told once for each thing, oldest first, with the status it led to', () => {
    const facts = [refund('1', 3_000), { ...succeeded, id: 'paid too', at: at(11) }, succeeded, failed]
    expect(viewOf(told(...facts), LATER).events).toEqual([
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

describe('a further capture', () => {
  const capture = (captureId: string) =>
    ({
      kind: 'succeeded',
      id: `capture ${captureId}`,
      at: at(10),
      money: ASKED,
      chargeId: 'C1',
      captureId,
    }) as const
  const takenBack: Fact = {
    kind: 'taken_back',
    id: 'taken',
    at: at(12),
    chargeId: 'C1',
    captureId: 'K1',
    code: 'expired',
  }

  it('changes nothing as a claim while its charge is here, and is read once that was taken back', () => {
    const paid = told(capture('K1'))
    expect(changesNothing(paid, capture('K2'))).toBe(true)
    expect(changesNothing(withFacts(paid, [takenBack]), capture('K2'))).toBe(false)
  })

  it('is shown for each capture that was taken back', () => {
    const other: Fact = { ...takenBack, id: 'taken too', captureId: 'K2' }
    const { events } = viewOf(told(capture('K1'), capture('K2'), takenBack, other), LATER)
    expect(events.filter(({ type }) => type === 'payment.taken_back')).toHaveLength(2)
  })
})
