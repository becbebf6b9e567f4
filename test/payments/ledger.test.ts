import fc from 'fast-check'
import { beforeAll, describe, expect, inject, it } from 'vitest'
import { openTable } from '#lib/dynamo/table'
import { timestamp } from '#lib/kernel/clock'
import { newId, PaymentId } from '#lib/kernel/id'
import { localDynamoClient } from '#lib/local/dynamodb'
import type { Fact } from '#lib/payments/fact'
import { entriesOf, faultsOf, holdingsOf, type Posting, postingOf } from '#lib/payments/ledger'
import { openPayment, type Payment, withFacts } from '#lib/payments/payment'
import { postingKey } from '#lib/payments/payment.keys'
import { openPayments } from '#lib/payments/payment-store.dynamo'
import { auditLedger } from '#lib/payments/upkeep/audit-ledger'
import { openAuditPlace } from '#lib/payments/upkeep/audit-place.dynamo'
import { deliver, fromGateway } from '#test/support/callbacks'
import { aUser, type GivenUser } from '#test/support/given'
import { aPayment, paid } from '#test/support/payments'

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
    fc.constant({ kind: 'succeeded', at, money: { amount: 1_000, currency: 'EUR' } } as const),
    fc.constantFrom({ kind: 'cancelled', at } as const, { kind: 'expired', at } as const),
    fc.record({
      kind: fc.constant('refund' as const),
      at: fc.constant(at),
      money,
      state: fc.constantFrom('pending', 'succeeded', 'failed'),
      providerRefundId: fc.constantFrom('r1', 'r2', 'r3'),
      refundId: fc.constant(null),
      reason: fc.constant(null),
    }),
    fc.record({ kind: fc.constant('refunded_total' as const), at: fc.constant(at), money }),
    fc.record({
      kind: fc.constant('dispute' as const),
      at: fc.constant(at),
      disputeId: fc.constantFrom('d1', 'd2'),
      state: fc.constantFrom('open', 'won', 'lost'),
    }),
  )
  .map((statement, ...rest) => ({ ...statement, id: JSON.stringify([statement, rest.length]) }))

const lived = (facts: readonly Fact[]): { payment: Payment; postings: Posting[] } =>
  facts.reduce<{ payment: Payment; postings: Posting[] }>(
    ({ payment, postings }, fact) => {
      const next = withFacts(payment, [fact], [], NOW)
      return { payment: next, postings: [...postings, ...[postingOf(payment, next, fact.kind) ?? []].flat()] }
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

  it('ends on the same accounts whatever the order', () => {
    const shuffled = fc
      .array(aFact, { maxLength: 8 })
      .chain((facts) => fc.tuple(fc.constant(facts), fc.shuffledSubarray(facts, { minLength: facts.length })))
    fc.assert(
      fc.property(shuffled, ([one, other]) => {
        expect(holdingsOf(lived(one).payment)).toEqual(holdingsOf(lived(other).payment))
      }),
    )
  })

  it('says who holds what: the provider less refunds, and less what a dispute holds', () => {
    const succeeded: Fact = { id: 's', kind: 'succeeded', at, money: { amount: 1_000, currency: 'EUR' } }
    const total: Fact = { id: 't', kind: 'refunded_total', at, money: { amount: 300, currency: 'EUR' } }
    const dispute: Fact = { id: 'd', kind: 'dispute', at, disputeId: 'd1', state: 'open' }
    const won: Fact = { ...dispute, id: 'w', state: 'won' }
    const payer = `payer:${opened.userId}`
    expect(holdingsOf(lived([succeeded, total]).payment)).toEqual({
      [payer]: -1_000,
      'provider:stripe': 700,
      refunds: 300,
      disputes: 0,
    })
    expect(holdingsOf(lived([succeeded, total, dispute]).payment)).toMatchObject({
      'provider:stripe': 0,
      disputes: 700,
    })
    expect(holdingsOf(lived([succeeded, total, dispute, won]).payment)).toMatchObject({
      'provider:stripe': 700,
      disputes: 0,
    })
  })

  it('notices a line that is missing, wrong or too many', () => {
    const succeeded: Fact = { id: 's', kind: 'succeeded', at, money: { amount: 1_000, currency: 'EUR' } }
    const { payment, postings } = lived([succeeded])
    const [posting] = postings
    if (!posting) throw new Error('Nothing was posted')
    const [line] = posting.lines
    expect(faultsOf(payment, [])).toHaveLength(2)
    expect(faultsOf(payment, [posting, posting])).toHaveLength(2)
    expect(faultsOf(payment, [{ ...posting, lines: line ? [line] : [] }])).toHaveLength(2)
  })
})

describe('the audit of the ledger', () => {
  let user: GivenUser
  beforeAll(async () => {
    user = await aUser()
  })
  const table = () =>
    openTable(process.env['TABLE_NAME'] ?? '', () => localDynamoClient(inject('stack').dynamoEndpoint))
  const audit = async () => {
    const counted: string[] = []
    const count = (what: string) => void counted.push(what)
    const found = await auditLedger({
      payments: openPayments(table()),
      place: openAuditPlace(table()),
      count,
    })
    return { ...found, counted }
  }

  it('finds nothing where nothing is wrong', async () => {
    for (const settled of [true, false]) {
      const payment = await aPayment(user)
      if (settled) await paid(payment)
      await deliver(fromGateway('payment.refunded', { reference: payment.id, amount: 50, currency: 'EUR' }))
    }
    expect(await audit()).toEqual({ checked: 2, faults: [], counted: [] })
  })

  it('reports by payment what was tampered with', async () => {
    const payment = await aPayment(user)
    await paid(payment)
    const id = PaymentId.parse(payment.id)
    const [posting] = await openPayments(table()).postings(id)
    const lines = [
      { account: `payer:${user.id}`, amount: -12_550 },
      { account: 'provider:standard-webhooks', amount: 12_549 },
    ]
    await table().commit([{ update: postingKey(id, posting?.version ?? 0), set: { lines } }])
    const { checked, faults, counted } = await audit()
    expect(checked).toBe(3)
    expect(faults).toEqual([
      { paymentId: id, fault: expect.stringContaining('does not balance') },
      { paymentId: id, fault: 'provider:standard-webhooks has 12549, the facts say 12550' },
    ])
    expect(counted).toEqual(['LedgerFault', 'LedgerFault'])
  })
})
