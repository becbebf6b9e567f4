import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { spec as auditLedger } from '#functions/jobs/audit-ledger'
import { TABLE_WRITES } from '#lib/dynamo/table'
import { timestamp } from '#lib/kernel/clock'
import { newId, PaymentId } from '#lib/kernel/id'
import { faultsOf } from '#lib/ledger/audit'
import type { auditLedger as audited } from '#lib/ledger/audit-ledger'
import { openBooks } from '#lib/ledger/books.dynamo'
import { postingKey } from '#lib/ledger/ledger.keys'
import { entriesOf, postingsOf } from '#lib/ledger/posting'
import type { Posting } from '#lib/ledger/transaction'
import { auditKey, paymentKey } from '#lib/payments/payment.keys'
import type { Fact } from '#lib/payments/state/fact'
import { openPayment, type Payment, revised, withFacts } from '#lib/payments/state/payment'
import { deliver, fromGateway } from '#test/support/callbacks'
import { aUser, type GivenUser } from '#test/support/given'
import { runJob } from '#test/support/jobs'
import { aPayment, paid } from '#test/support/payments'
import { testTable } from '#test/support/test-table'

const NOW = new Date('2026-11-20T10:00:00.000Z')
const at = timestamp(NOW)

const opened = openPayment(
  newId('payment'),
  newId('user'),
  {
    provider: 'stripe',
    amount: 1_000,
    currency: 'EUR',
    purpose: 'rent',
    listingId: null,
    phone: null,
    returnUrl: null,
    metadata: null,
  },
  NOW,
)

const money = fc.integer({ min: 1, max: 1_200 }).map((amount) => ({ amount, currency: 'EUR' as const }))
const aFact: fc.Arbitrary<Fact> = fc
  .oneof(
    fc
      .constantFrom('ch_1', 'ch_2', null)
      .map(
        (chargeId) =>
          ({ kind: 'succeeded', at, money: { amount: 1_000, currency: 'EUR' }, chargeId }) as const,
      ),
    fc.constantFrom({ kind: 'cancelled', at } as const, { kind: 'expired', at } as const),
    fc.record({
      kind: fc.constant('refund' as const),
      at: fc.constant(at),
      money,
      state: fc.constantFrom('pending', 'succeeded', 'failed'),
      providerRefundId: fc.constantFrom('r1', 'r2', 'r3'),
      refundId: fc.constant(null),
      chargeId: fc.constantFrom('ch_1', 'ch_2', null),
      reason: fc.constant(null),
    }),
    fc.record({
      kind: fc.constant('fee' as const),
      at: fc.constant(at),
      feeId: fc.constantFrom('f1', 'f2'),
      money,
    }),
    fc.record({
      kind: fc.constant('dispute' as const),
      at: fc.constant(at),
      disputeId: fc.constantFrom('d1', 'd2', 'ch_1'),
      chargeId: fc.constantFrom('ch_1', 'ch_2', null),
      state: fc.constantFrom('inquiry', 'open', 'won', 'lost'),
      money: fc.option(money),
    }),
  )
  .map((statement, ...rest) => ({ ...statement, id: JSON.stringify([statement, rest.length]) }))

const lived = (facts: readonly Fact[]): { payment: Payment; postings: Posting[] } =>
  facts.reduce<{ payment: Payment; postings: Posting[] }>(
    ({ payment, postings }, fact) => {
      const next = revised(payment, withFacts(payment, [fact]), NOW)
      return { payment: next, postings: [...postings, ...postingsOf(payment, next, fact.kind)] }
    },
    { payment: opened, postings: [] },
  )
const sum = (amounts: number[]) => amounts.reduce((total, amount) => total + amount, 0)

describe('the ledger', () => {
  it('balances, every posting and every payment, whatever happens to it in whatever order', () => {
    fc.assert(
      fc.property(fc.array(aFact, { maxLength: 12 }), (facts) => {
        const { payment, postings } = lived(facts)
        for (const { lines } of postings) expect(sum(lines.map(({ amount }) => amount))).toBe(0)
        expect(sum(entriesOf(postings).map(({ amount }) => amount))).toBe(0)
        expect(faultsOf(payment, postings)).toEqual([])
      }),
      { numRuns: 1_000 },
    )
  })

  const charge = (chargeId: string): Fact => ({
    id: chargeId,
    kind: 'succeeded',
    at,
    money: { amount: 1_000, currency: 'EUR' },
    chargeId,
  })
  const refund = (amount: number, more: object = {}): Fact => ({
    id: `r ${JSON.stringify(more)}`,
    kind: 'refund',
    at,
    money: { amount, currency: 'EUR' },
    state: 'succeeded',
    providerRefundId: 'r',
    refundId: null,
    reason: null,
    ...more,
  })
  const balances = (...facts: Fact[]) => {
    const sums: Record<string, number> = {}
    for (const { account, amount } of entriesOf(lived(facts).postings)) {
      sums[account] = (sums[account] ?? 0) + amount
    }
    return sums
  }
  it('credits the platform with money without an agent, debits it when money goes back, and credits it again when that bounces', () => {
    expect(balances(charge('ch_1'), refund(300))).toEqual({ platform: -700, 'provider:stripe': 700 })
    const bounced = refund(300, { state: 'failed' })
    expect(balances(charge('ch_1'), refund(300), bounced)).toEqual({
      platform: -1_000,
      'provider:stripe': 1_000,
    })
    const objects = lived([charge('ch_1'), refund(300), bounced]).postings.map(({ object }) => object)
    expect(objects).toEqual(['charge:ch_1', 'refund:r', 'refund_failed:r'])
  })

  it('takes what a dispute takes while it is open and when it is lost, and brings it back when it is won', () => {
    const dispute = (state: 'open' | 'won' | 'lost'): Fact => ({
      id: state,
      kind: 'dispute',
      at,
      disputeId: 'd1',
      state,
      money: { amount: 400, currency: 'EUR' },
    })
    const open = balances(charge('ch_1'), dispute('open'))
    expect(open).toEqual({ platform: -600, 'provider:stripe': 600 })
    const lost = balances(charge('ch_1'), dispute('open'), dispute('lost'))
    expect(lost).toEqual({ platform: -600, 'provider:stripe': 600 })
    const won = balances(charge('ch_1'), dispute('open'), dispute('won'))
    expect(won).toEqual({ platform: -1_000, 'provider:stripe': 1_000 })
  })

  it('owes a second charge until it is given back', () => {
    expect(balances(charge('ch_1'), charge('ch_2'))).toEqual({
      platform: -1_000,
      'provider:stripe': 2_000,
      'overpaid:stripe': -1_000,
    })
    expect(balances(charge('ch_1'), charge('ch_2'), refund(1_000, { chargeId: 'ch_2' }))).toMatchObject({
      'provider:stripe': 1_000,
      'overpaid:stripe': 0,
    })
  })

  it('counts a fee once, as a cost', () => {
    const fee: Fact = { id: 'f', kind: 'fee', at, feeId: 'f1', money: { amount: 30, currency: 'EUR' } }
    expect(balances(charge('ch_1'), fee, { ...fee, id: 'again' })).toMatchObject({
      fees: 30,
      'provider:stripe': 970,
    })
  })

  it('notices a line that is missing, wrong or too many', () => {
    const { payment, postings } = lived([charge('ch_1')])
    const [posting] = postings
    if (!posting) throw new Error('Nothing was posted')
    const [line] = posting.lines
    const wrong = (sum: string) => `${posting.object} has ${sum}, which its provider never named`
    expect(faultsOf(payment, [])).toEqual([`${posting.object} is missing`])
    expect(faultsOf(payment, [posting, posting])).toEqual([wrong('2000 EUR')])
    expect(faultsOf(payment, [{ ...posting, lines: line ? [line] : [] }])).toHaveLength(2)
  })

  it('notices a fact that was changed, though every posting balances', () => {
    const { payment, postings } = lived([charge('ch_1'), refund(300)])
    const facts = payment.facts.map((fact) =>
      fact.kind === 'refund' ? { ...fact, money: { amount: 100, currency: 'EUR' as const } } : fact,
    )
    expect(faultsOf({ ...payment, facts }, postings)).toEqual([
      'refund:r has -300, which its provider never named',
    ])
  })

  it('notices a refund that was never booked', () => {
    const { payment } = lived([charge('ch_1'), refund(300)])
    const { postings } = lived([charge('ch_1')])
    expect(faultsOf(payment, postings)).toEqual(['refund:r is missing'])
  })

  it('notices a dispute that was made won, though every posting balances', () => {
    const dispute = { id: 'd', kind: 'dispute', at, disputeId: 'd1', money: { amount: 400, currency: 'EUR' } }
    const { payment, postings } = lived([charge('ch_1'), { ...dispute, state: 'open' } as Fact])
    const facts = payment.facts.map((fact) =>
      fact.kind === 'dispute' ? { ...fact, state: 'won' as const } : fact,
    )
    const changed = { ...payment, facts, status: 'SUCCEEDED' as const }
    expect(faultsOf(changed, postings)).toEqual(['dispute:d1 has -400 EUR, which its provider never named'])
  })

  it('notices an account below nothing where nobody is asked', () => {
    const { payment, postings } = lived([
      charge('ch_1'),
      refund(600),
      refund(600, { providerRefundId: 'r2' }),
    ])
    expect(payment.attention).toMatchObject([{ code: 'over_refunded' }])
    expect(faultsOf(payment, postings)).toEqual([])
    expect(faultsOf({ ...payment, attention: [] }, postings)).toHaveLength(1)
  })

  it('keeps a charge of another sum in suspense until it is given back', () => {
    const wrong = { ...charge('ch_9'), money: { amount: 400, currency: 'EUR' as const } } as Fact
    expect(balances(wrong)).toEqual({ 'provider:stripe': 400, 'suspense:stripe': -400 })
    expect(balances(wrong, refund(400, { chargeId: 'ch_9' }))).toEqual({
      'provider:stripe': 0,
      'suspense:stripe': 0,
    })
  })
})

describe('the audit of the ledger', () => {
  let user: GivenUser
  beforeAll(async () => {
    user = await aUser()
  })
  const audit = async () => {
    const counted: string[] = []
    const count = (what: string) => void counted.push(what)
    const found = await runJob<Awaited<ReturnType<typeof audited>>>(auditLedger, { count })
    return { ...found, counted }
  }

  it('finds nothing where nothing is wrong', async () => {
    for (const settled of [true, false]) {
      const payment = await aPayment(user)
      if (settled) await paid(payment)
      await deliver(fromGateway('payment.refunded', { reference: payment.id, amount: 50, currency: 'EUR' }))
    }
    expect(await audit()).toEqual({ checked: 2, faults: [], counted: [], isDone: true })
    // What has not changed since is not looked at again.
    expect(await audit()).toMatchObject({ checked: 0 })
  })

  it('reports records that cannot be read, and goes on with the others', async () => {
    const ids = Array.from({ length: 120 }, () => newId('payment'))
    const rows = ids.flatMap((id) => [
      { put: { ...auditKey(id), kind: 'payment-to-audit', version: 1 } },
      { put: { ...paymentKey(id), kind: 'payment', id } },
    ])
    await testTable().writeEach(rows)
    await paid(await aPayment(user))
    const { checked, faults, isDone } = await audit()
    expect([checked, faults.length, isDone]).toEqual([121, 120, true])
    expect(faults[0]?.fault).toBe('Its record cannot be read')
    await testTable().writeEach(rows.map(({ put: { pk, sk } }) => ({ remove: { pk, sk } })))
  })

  it('reports by payment what was tampered with', async () => {
    const payment = await aPayment(user)
    await paid(payment)
    const id = PaymentId.parse(payment.id)
    const [posting] = await openBooks(testTable()).postings(id)
    const lines = [
      { account: `payer:${user.id}`, amount: -12_550 },
      { account: 'provider:standard-webhooks', amount: 12_549 },
    ]
    await testTable().commit([
      TABLE_WRITES.update(postingKey(id, posting?.version ?? 0, `${posting?.object} EUR`), {
        set: { lines },
      }),
    ])
    const { checked, faults, counted } = await audit()
    expect(checked).toBe(1)
    expect(faults).toEqual([
      { paymentId: id, fault: expect.stringContaining('does not balance') },
      { paymentId: id, fault: expect.stringContaining('has 12549 EUR, which its provider never named') },
    ])
    expect(counted).toEqual(['LedgerFault', 'LedgerFault'])
  })

  it('reports a stored status that does not follow from the facts', async () => {
    const payment = await aPayment(user)
    await paid(payment)
    const id = PaymentId.parse(payment.id)
    await testTable().commit([TABLE_WRITES.update(paymentKey(id), { set: { status: 'FAILED' } })])
    expect((await audit()).faults).toEqual([
      { paymentId: id, fault: 'The stored state is FAILED, the facts say SUCCEEDED' },
    ])
  })
})
