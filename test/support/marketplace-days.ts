import fc from 'fast-check'
import { expect } from 'vitest'
import { accountKey } from '#lib/accounts/account.keys'
import { openAccountReader } from '#lib/accounts/account-reader.dynamo'
import { secondsAfter, timestamp } from '#lib/kernel/clock'
import { DomainError } from '#lib/kernel/domain-error'
import { ListingId, newId, type PayoutId, type UserId } from '#lib/kernel/id'
import { seal } from '#lib/kernel/sealed'
import { agentAccountPartition } from '#lib/ledger/ledger.keys'
import { withFollowers } from '#lib/payment-requests/followers'
import { receiveCallback } from '#lib/payments/callbacks/receive-callback'
import type { StatementOf } from '#lib/payments/state/fact'
import { openPayment, withCheckout } from '#lib/payments/state/payment'
import { createPayout } from '#lib/payouts/create-payout'
import { getBalance } from '#lib/payouts/get-balance'
import { cancelPayout, failPayout, settlePayout } from '#lib/payouts/move-payout'
import { findPayout } from '#lib/payouts/payout-subject'
import { sendPayouts } from '#lib/payouts/send-payouts'
import type { PayoutState } from '#lib/providers/payout-port'
import type { ProviderEvent } from '#lib/providers/provider'
import { expectBooks, type PaidTruth, type PayoutTruth } from './books-oracle.ts'
import { memoryTable } from './memory-table.ts'
import { moneyStores } from './money-stores.ts'
import { played } from './payments.ts'
import { SETTINGS } from './payouts.ts'

const HOUR_SECONDS = 60 * 60
const CURRENCIES = ['EUR', 'JPY', 'XOF', 'KWD'] as const
const AGENTS = 3

/** What happens next in the marketplace, and how the provider treats a transfer then. */
const aDeed = fc.record({
  what: fc.constantFrom(
    ...(['pay', 'pay', 'pay', 'refund', 'refund', 'bounce', 'dispute', 'judge'] as const),
    ...(['pay out', 'pay out', 'pay out', 'by hand', 'settle', 'fail', 'cancel'] as const),
    ...(['send', 'send', 'move', 'move', 'move', 'call', 'call', 'call again'] as const),
  ),
  place: fc.nat(999),
  amount: fc.integer({ min: 1, max: 9_999 }),
  basisPoints: fc.constantFrom(0, 1, 250, 333, 1_250, 10_000),
  /** `lost`: carried out, and the answer is lost. `down`: not carried out, and no answer. */
  heard: fc.constantFrom('answered', 'answered', 'lost', 'down', 'refused'),
  moves: fc.constantFrom('paid', 'paid', 'failed', 'returned'),
  judged: fc.constantFrom('open', 'won', 'lost'),
})
type Deed = typeof aDeed extends fc.Arbitrary<infer Value> ? Value : never

const A_DAY = fc.array(aDeed, { minLength: 4, maxLength: 16 })

const REFUSALS = [
  'payout_exceeds_balance',
  'payout_transition_not_allowed',
  'provider_unavailable',
  'unavailable',
  'validation_failed',
]

/** A transfer at the provider. One that failed may still be paid; money that came back stays. */
type Transfer = { id: PayoutId; state: Exclude<PayoutState['state'], 'asked'>; asks: number }

/** A marketplace in memory: its agents, what payers paid, and a provider that holds the truth of its transfers. */
async function aMarketplace() {
  let moment = new Date('2026-01-01T08:00:00.000Z')
  const now = () => moment
  const table = memoryTable()
  const transfers = new Map<PayoutId, Transfer>()
  const treatment: Pick<Deed, 'heard'> = { heard: 'answered' }
  const stateOf = ({ id, state }: Transfer): PayoutState => ({ state, reference: `T ${id}` })
  const providers = played({
    interpret: ({ rawBody }) => [JSON.parse(rawBody.toString())],
    payouts: {
      currencies: 'any',
      takes: () => true,
      smallestUnitOf: (currency) => (currency === 'KWD' ? 10 : 1),
      start: async ({ id }) => {
        const asked = transfers.get(id)
        if (asked) asked.asks += 1
        if (treatment.heard === 'refused') return { state: 'failed', reference: null }
        if (treatment.heard === 'down') throw new DomainError('provider_unavailable')
        const made = asked ?? { id, state: 'pending' as const, asks: 1 }
        transfers.set(id, made)
        if (treatment.heard === 'lost') throw new DomainError('provider_unavailable')
        return stateOf(made)
      },
      read: async ({ id }) => {
        const transfer = transfers.get(id)
        return transfer ? stateOf(transfer) : null
      },
    },
  })
  const dataKeys = async () => [Buffer.alloc(32, 3)]
  // Of an account, payments read no more than this.
  const account = { status: 'ACTIVE', agent: {}, kyc: { status: 'VERIFIED' } } as never
  const deps = {
    ...moneyStores(table),
    accounts: {
      ...openAccountReader(table),
      get: async () => account,
      // These agents have no stored account that could change.
      requireUnchanged: ({ id }: { id: UserId }) => table.check(accountKey(id), { when: 'absent' }),
    },
    payoutSettings: SETTINGS,
    count: () => undefined,
    providers,
    dataKeys,
    now,
    newId,
  }
  const agents = Array.from({ length: AGENTS }, () => newId('user'))
  const paid: PaidTruth[] = []
  const payouts: PayoutTruth[] = []
  const calls: ProviderEvent[] = []
  const tolerated = (work: Promise<unknown>) =>
    work.catch((error: unknown) => {
      expect(error).toBeInstanceOf(DomainError)
      expect(REFUSALS).toContain((error as DomainError).code)
    })
  const deliver = (event: ProviderEvent) => {
    const rawBody = Buffer.from(JSON.stringify(event))
    const request = { method: 'POST', rawBody, headers: {}, rawQuery: '', provider: 'played' }
    return tolerated(receiveCallback({ ...withFollowers(deps), findPayout: findPayout(deps) }, request))
  }
  const tell = (truth: PaidTruth, statement: StatementOf<'succeeded' | 'refund' | 'dispute'>) =>
    deliver({
      eventId: newId('event'),
      type: statement.kind,
      references: [truth.id],
      statement: { ...statement, chargeId: `C ${truth.id}` },
    })
  const pick = <Each>(items: readonly Each[], place: number): Each | undefined => items[place % items.length]

  const pay = async ({ place, amount, basisPoints }: Deed) => {
    const [agentId, currency] = [agents[place % AGENTS], CURRENCIES[place % CURRENCIES.length]]
    if (!agentId || !currency) return
    const terms = {
      provider: 'played',
      amount,
      currency,
      purpose: 'rent' as const,
      listingId: ListingId.parse(newId('listing')),
      listing: { title: 'A flat', agent: { userId: agentId, displayName: 'A', agency: null } },
      commissionBasisPoints: basisPoints,
      phone: null,
      returnUrl: null,
      metadata: null,
    }
    const opened = openPayment(newId('payment'), newId('user'), terms, moment)
    const page = { url: 'https://pay.example/', expiresAt: null, references: [] }
    await deps.payments.commit(deps.payments.insert(withCheckout(opened, page)))
    const truth = { id: opened.id, agentId, currency, amount, basisPoints, refunds: [], disputed: null }
    paid.push(truth)
    await tell(truth, {
      kind: 'succeeded',
      at: timestamp(moment),
      money: { amount, currency },
      chargeId: null,
    })
  }
  const refund = async ({ place, amount }: Deed) => {
    const truth = pick(paid, place)
    const taken = truth?.refunds.reduce((sum, each) => sum + (each.isBounced ? 0 : each.amount), 0) ?? 0
    if (!truth || truth.disputed || taken + amount > truth.amount) return
    const made = { id: `R${truth.refunds.length} ${truth.id}`, amount, isBounced: false }
    truth.refunds.push(made)
    await tell(truth, refundOf(truth, made, 'succeeded'))
  }
  const refundOf = (
    truth: PaidTruth,
    { id, amount }: { id: string; amount: number },
    state: 'succeeded' | 'failed',
  ) => ({
    kind: 'refund' as const,
    at: timestamp(moment),
    money: { amount, currency: truth.currency },
    state,
    providerRefundId: id,
    refundId: null,
    chargeId: null,
    reason: null,
  })
  const bounce = async ({ place }: Deed) => {
    const truth = pick(paid, place)
    const made = truth?.refunds.find(({ isBounced }) => !isBounced)
    if (!truth || !made) return
    made.isBounced = true
    await tell(truth, refundOf(truth, made, 'failed'))
  }
  const dispute = async ({ place, judged }: Deed, isNew: boolean) => {
    const truth = pick(
      paid.filter(({ disputed, refunds }) => (isNew ? !disputed && refunds.length === 0 : disputed)),
      place,
    )
    if (!truth) return
    truth.disputed = isNew ? 'open' : judged
    await tell(truth, {
      kind: 'dispute',
      at: timestamp(moment),
      disputeId: `D ${truth.id}`,
      state: truth.disputed,
      money: null,
      chargeId: null,
    })
  }
  const payOut = async ({ place, amount }: Deed, method: 'provider' | 'by_hand') => {
    const [agentId, currency] = [agents[place % AGENTS], CURRENCIES[place % CURRENCIES.length]]
    if (!agentId || !currency) return
    await payTo(agentId, currency)
    const draft = { agentId, currency, method, amount: place % 2 === 0 ? null : amount }
    const made = await tolerated(createPayout(deps, 'a', draft))
    if (made) payouts.push({ id: (made as { id: PayoutId }).id, agentId, currency })
  }
  const payTo = async (agentId: UserId, currency: (typeof CURRENCIES)[number]) => {
    const seen = await deps.payoutAccounts.get(agentId)
    const target = { method: 'bank', holder: 'A', iban: 'X', accountNumber: null, bankCode: null }
    const next = {
      agentId,
      method: 'bank' as const,
      country: 'FR' as const,
      currency,
      network: null,
      bankCode: null,
      last4: '1234',
      sealed: await seal(dataKeys, agentId, JSON.stringify(target)),
      usableFrom: timestamp(moment),
      updatedAt: timestamp(moment),
      version: (seen?.version ?? 0) + 1,
    }
    await deps.payoutAccounts.commit([deps.payoutAccounts.put(seen, next)])
  }
  const byAdministrator = async ({ place }: Deed, act: typeof settlePayout | typeof failPayout) => {
    const payout = pick(payouts, place)
    if (!payout) return
    const words = { reference: 'Transfer 7', paidAt: timestamp(moment), note: 'It did not arrive' }
    await tolerated(act(deps, { id: payout.id, administrator: 'a' }, words))
  }
  /** The provider moves a transfer, and says so; some callbacks are never delivered. */
  const move = ({ place, moves }: Deed) => {
    const transfer = pick([...transfers.values()], place)
    if (!transfer || transfer.state === 'returned' || transfer.state === moves) return
    if (moves === 'returned' && transfer.state !== 'paid') return
    if (moves === 'failed' && transfer.state === 'paid') return
    transfer.state = moves
    const claim = { id: transfer.id, state: stateOf(transfer) }
    calls.push({
      eventId: newId('event'),
      type: moves,
      references: [transfer.id],
      statement: null,
      payout: claim,
    })
  }
  const plays: Record<Deed['what'], (deed: Deed) => unknown> = {
    pay,
    refund,
    bounce,
    dispute: (deed) => dispute(deed, true),
    judge: (deed) => dispute(deed, false),
    'pay out': (deed) => payOut(deed, 'provider'),
    'by hand': (deed) => payOut(deed, 'by_hand'),
    settle: (deed) => byAdministrator(deed, settlePayout),
    fail: (deed) => byAdministrator(deed, failPayout),
    cancel: ({ place }) => {
      const payout = pick(payouts, place)
      return payout && tolerated(cancelPayout(deps, { id: payout.id, administrator: 'a' }))
    },
    send: () => sendPayouts(deps),
    move,
    call: ({ place }) => {
      const event = pick(calls, place)
      return event && deliver(event)
    },
    'call again': ({ place }) => {
      const event = pick(calls, place)
      return event && Promise.all([deliver(event), deliver(event)])
    },
  }
  return {
    play: async (deed: Deed) => {
      moment = secondsAfter(moment, HOUR_SECONDS)
      treatment.heard = deed.heard
      await plays[deed.what](deed)
    },
    /** Every callback comes, in whatever order, and the job reads what is left. */
    endDay: async () => {
      treatment.heard = 'answered'
      for (const event of calls.toReversed()) await deliver(event)
      moment = secondsAfter(moment, 2 * HOUR_SECONDS)
      await sendPayouts(deps)
    },
    expectBooks: async () => {
      const days: string[] = []
      for (let at = new Date('2026-01-01'); at <= moment; at = secondsAfter(at, 24 * HOUR_SECONDS))
        days.push(timestamp(at).slice(0, 10))
      const sums = (await Promise.all(days.map((day) => deps.books.sums(day))))
        .flat()
        .map((sum) => ({ ...sum, amount: Number(sum.amount) }))
      const known = await Promise.all(
        payouts.map(async (truth) => ({ truth, payout: await deps.payouts.get(truth.id) })),
      )
      for (const agentId of agents) {
        const { items } = await getBalance(deps, agentId)
        const entriesOf = (currency: string) =>
          table.queryAll({ partition: agentAccountPartition(agentId), beginsWith: `ENTRY#${currency}#` })
        const statements = await Promise.all(
          CURRENCIES.map(async (currency) => ({ currency, entries: await entriesOf(currency) })),
        )
        expectBooks({ agentId, balances: items, statements, paid, payouts: known, transfers, sums })
      }
    },
  }
}

/** Plays so many random days, in marketplaces of ten days each; the same ones for the same seed. */
export const playDays = (days: number, seed?: number): Promise<void> =>
  fc.assert(
    fc.asyncProperty(fc.array(A_DAY, { minLength: 10, maxLength: 10 }), async (all) => {
      const marketplace = await aMarketplace()
      for (const deeds of all) {
        for (const deed of deeds) await marketplace.play(deed)
        await marketplace.endDay()
        await marketplace.expectBooks()
      }
    }),
    { numRuns: Math.ceil(days / 10), ...(seed !== undefined && { seed }) },
  )
