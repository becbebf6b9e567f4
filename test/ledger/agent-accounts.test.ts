import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { spec as followAccounts } from '#functions/jobs/follow-accounts'
import { spec as getStatement } from '#functions/ledger/get-statement'
import { spec as listLedger } from '#functions/ledger/list-ledger'
import { spec as listLedgerBalances } from '#functions/ledger/list-ledger-balances'
import { spec as getPaymentInFull } from '#functions/payments/get-payment-in-full'
import { spec as refundPayment } from '#functions/payments/refund-payment'
import { spec as createPayout } from '#functions/payouts/create-payout'
import { spec as getBalance } from '#functions/payouts/get-balance'
import { spec as deleteAccount } from '#functions/privacy/delete-account'
import { timestamp } from '#lib/kernel/clock'
import { newId, UserId } from '#lib/kernel/id'
import { openAgentAccounts } from '#lib/ledger/agent-accounts.dynamo'
import { commissionOn, shareOf } from '#lib/ledger/posting'
import { openPayments } from '#lib/payments/payment-store.dynamo'
import type { PaymentView } from '#lib/payments/payment-view'
import { deletionKey } from '#lib/privacy/privacy.keys'
import type { ProviderEvent } from '#lib/providers/provider'
import { type BodyOf, call } from '#test/support/call'
import { deliver, fromGateway } from '#test/support/callbacks'
import { aUser, aVerifiedAgent, consoleToken, type GivenUser, PASSWORD } from '#test/support/given'
import { aPayment, fromPlayed, paid, played, success } from '#test/support/payments'
import { balanceOf, correct, payTo, SETTINGS } from '#test/support/payouts'
import { aPublishedListing } from '#test/support/published'
import { readCsv } from '#test/support/spreadsheet'
import { streamTo } from '#test/support/stream'
import { testTable } from '#test/support/test-table'

type Entry = { type: string; amount: number; balance: number; paymentId: string | null }
type Posting = BodyOf<typeof listLedger>['items'][number]

let admin: string
let payer: GivenUser

beforeAll(async () => {
  admin = await consoleToken()
  payer = await aUser()
})

const RATES = { commissionRates: { rent: 500 } }

/** A payment of rent to an agent who has just published a listing priced in euros. */
async function rentPaid(amount: number): Promise<{ agent: GivenUser; payment: PaymentView }> {
  const agent = await aVerifiedAgent()
  const listingId = await aPublishedListing(agent.id, { price: { amount: 90_000, currency: 'EUR' } })
  const payment = await aPayment(payer, { amount, purpose: 'rent', listingId }, undefined, RATES)
  await paid(payment)
  return { agent, payment }
}

const statementOf = async (agent: GivenUser): Promise<Entry[]> => {
  const { body } = await call(getStatement, { token: agent.token, query: { currency: 'EUR' } })
  return body.items
}

const postingsOf = async (paymentId: string): Promise<Posting[]> => {
  const today = new Date().toISOString().slice(0, 10)
  const query = { from: today, limit: '100' }
  const postings: Posting[] = []
  for (let cursor: string | null = null, first = true; first || cursor; first = false) {
    const page: BodyOf<typeof listLedger> = (
      await call(listLedger, { token: admin, query: { ...query, ...(cursor && { cursor }) } })
    ).body
    postings.push(...page.items)
    cursor = page.nextCursor
  }
  return postings.filter((posting) => posting.paymentId === paymentId)
}

const refunded = (payment: PaymentView, amount: number) =>
  deliver(
    fromGateway('payment.refunded', {
      reference: payment.id,
      refund_id: `re_${newId('refund')}`,
      status: 'succeeded',
      amount,
      currency: 'EUR',
    }),
  )

describe('a payment on an agent’s listing', () => {
  it('is owed to the agent less commission, in entries that add up to the balance', async () => {
    const { agent, payment } = await rentPaid(12_345)
    expect(await balanceOf(agent)).toEqual({ currency: 'EUR', pending: 0, available: 11_728, onItsWay: 0 })
    const entries = await statementOf(agent)
    expect(entries.map(({ type, amount }) => [type, amount]).sort()).toEqual([
      ['commission', -617],
      ['payment', 12_345],
    ])
    expect(entries[0]?.balance).toBe(11_728)
    const postings = await postingsOf(payment.id)
    expect(postings.map(({ account, amount }) => [account, amount]).sort()).toEqual([
      [`agent:${agent.id}`, -11_728],
      ['commission', -617],
      ['provider:standard-webhooks', 12_345],
    ])
    expect(new Set(postings.map(({ transaction }) => transaction)).size).toBe(1)
  })

  it('gives commission back in proportion with refunds, and nothing is left of a whole refund', async () => {
    const { agent, payment } = await rentPaid(10_001)
    await refunded(payment, 3_333)
    await refunded(payment, 6_668)
    expect(await balanceOf(agent)).toMatchObject({ pending: 0, available: 0 })
    const sums = Map.groupBy(await postingsOf(payment.id), ({ account }) => account)
    for (const [account, postings] of sums) {
      expect([account, postings.reduce((sum, { amount }) => sum + amount, 0)]).toEqual([account, 0])
    }
  })

  it('bears no fee of its provider, which the platform pays', async () => {
    const agent = await aVerifiedAgent()
    const listingId = await aPublishedListing(agent.id, { price: { amount: 90_000, currency: 'EUR' } })
    const draft = { provider: 'played', amount: 10_000, purpose: 'rent', listingId }
    const payment = await aPayment(payer, draft, played(), RATES)
    const fee: ProviderEvent = {
      ...success(payment),
      eventId: `fee_${payment.id}`,
      statement: {
        kind: 'fee',
        at: timestamp(new Date()),
        feeId: 'F1',
        money: { amount: 120, currency: 'EUR' },
        chargeId: null,
      },
    }
    for (const event of [success(payment), fee])
      await deliver(fromPlayed(), { providers: played({ interpret: () => [event] }) })
    expect((await statementOf(agent)).map(({ type, amount }) => [type, amount]).sort()).toEqual([
      ['commission', -500],
      ['payment', 10_000],
    ])
    expect(await balanceOf(agent)).toMatchObject({ available: 9_500 })
    expect((await postingsOf(payment.id)).filter(({ account }) => account === 'fees')).toMatchObject([
      { amount: 120 },
    ])
  })

  it('is held back for as long as a dispute is open, and taken when it is lost', async () => {
    const { agent, payment } = await rentPaid(10_000)
    const dispute = (status: string) =>
      deliver(
        fromGateway('payment.disputed', {
          reference: payment.id,
          dispute_id: `dp_${payment.id}`,
          status,
          amount: 4_000,
          currency: 'EUR',
        }),
      )
    await dispute('opened')
    expect(await balanceOf(agent)).toMatchObject({ pending: 5_700, available: 0 })
    await dispute('lost')
    expect(await balanceOf(agent)).toMatchObject({ pending: 0, available: 5_700 })
  })

  it('is pending for as many days as the operator says', async () => {
    const { agent } = await rentPaid(10_000)
    const { body } = await call(getBalance, {
      token: agent.token,
      deps: { payoutSettings: { ...SETTINGS, delayDays: 7 } },
    })
    expect(body).toEqual({ items: [{ currency: 'EUR', pending: 9_500, available: 0, onItsWay: 0 }] })
  })

  it('leaves a negative balance where it is refunded after a payout, which the next payment fills', async () => {
    const { agent, payment } = await rentPaid(10_000)
    await payTo(agent)
    const body = { agentId: agent.id, currency: 'EUR', method: 'by_hand' }
    const payout = await call(createPayout, { token: admin, body, deps: { payoutSettings: SETTINGS } })
    expect(payout).toMatchObject({ status: 201, body: { amount: 9_500 } })
    await refunded(payment, 10_000)
    expect(await balanceOf(agent)).toMatchObject({ available: -9_500, onItsWay: 9_500 })
    await correct(agent.id, 10_000)
    expect(await balanceOf(agent)).toMatchObject({ available: 500 })
  })

  it('is never paid out and refunded at once beyond what is there', async () => {
    const { agent, payment } = await rentPaid(10_000)
    await payTo(agent)
    const body = { agentId: agent.id, currency: 'EUR', method: 'by_hand', amount: 9_000 }
    await Promise.all([
      call(createPayout, { token: admin, body, deps: { payoutSettings: SETTINGS } }),
      refunded(payment, 5_000),
    ])
    const entries = await statementOf(agent)
    const sum = entries.reduce((total, { amount }) => total + amount, 0)
    expect(entries[0]?.balance).toBe(sum)
    const { pending = 0, available = 0 } = (await balanceOf(agent)) ?? {}
    expect(pending + available).toBe(sum)
  })

  it('shows its postings to administrators, who can refund it as before', async () => {
    const { payment } = await rentPaid(2_000)
    const { body } = await call(getPaymentInFull, { token: admin, params: { id: payment.id } })
    const { ledger }: { ledger: { amount: number }[] } = body
    expect(ledger.reduce((total, { amount }) => total + amount, 0)).toBe(0)
    const refund = await call(refundPayment, { token: admin, params: { id: payment.id }, body: {} })
    expect(refund).toMatchObject({ status: 409, body: { code: 'payment_not_refundable' } })
  })
})

describe('the trial balance', () => {
  it('adds up to nothing in each currency, agents being one line', async () => {
    await rentPaid(7_777)
    const { body } = await call(listLedgerBalances, { token: admin })
    const { items }: { items: { account: string; currency: string; balance: number }[] } = body
    expect(items.filter(({ account }) => account.startsWith('agent:'))).toEqual([])
    const sums = Map.groupBy(items, ({ currency }) => currency)
    for (const [currency, accounts] of sums) {
      expect([currency, accounts.reduce((sum, { balance }) => sum + balance, 0)]).toEqual([currency, 0])
    }
  })
})

describe('an agent who is owed money', () => {
  const leave = async ({ token }: GivenUser) => {
    const deps = { payoutSettings: SETTINGS }
    const { status, text } = await call(deleteAccount, { token, body: { password: PASSWORD }, deps })
    if (status !== 204) throw new Error(text)
  }

  it('cannot leave before it is paid out', async () => {
    const { agent } = await rentPaid(1_000)
    const request = { token: agent.token, body: { password: PASSWORD } }
    expect(await call(deleteAccount, { ...request, deps: { payoutSettings: SETTINGS } })).toMatchObject({
      status: 409,
      body: { code: 'balance_open', balances: [{ currency: 'EUR', available: 950 }] },
    })
    await correct(agent.id, -1_000)
    const gone = await call(deleteAccount, { ...request, deps: { payoutSettings: SETTINGS } })
    expect(gone.status).toBe(204)
  })

  it('is owed nothing at the end of the day on which a negative balance was written off', async () => {
    const agent = await aVerifiedAgent()
    await correct(agent.id, -5)
    await leave(agent)
    const account = `agent:${agent.id}`
    const at = timestamp(new Date()).slice(0, 10)
    for (const query of [{ account }, { account, at }]) {
      expect((await call(listLedgerBalances, { token: admin, query })).body.items).toEqual([])
    }
    const { items } = (await call(listLedger, { token: admin, query: { account, from: at } })).body
    expect(items.map(({ amount }) => amount)).toEqual([5, -5])
  })

  it('cannot leave with what is paid after its payments were read, in a currency in which it was owed nothing', async () => {
    const agent = await aVerifiedAgent()
    const listingId = await aPublishedListing(agent.id, { price: { amount: 90_000, currency: 'EUR' } })
    const payment = await aPayment(payer, { amount: 1_000, purpose: 'rent', listingId }, undefined, RATES)
    const payments = openPayments(testTable())
    const list: typeof payments.list = async (...given) => {
      const page = await payments.list(...given)
      await paid(payment)
      return page
    }
    const answer = await call(deleteAccount, {
      token: agent.token,
      body: { password: PASSWORD },
      deps: { payoutSettings: SETTINGS, payments: { ...payments, list } },
    })
    expect(answer).toMatchObject({
      status: 409,
      body: { code: 'balance_open', balances: [{ currency: 'EUR', available: 950 }] },
    })
  })

  it('cannot leave with what is paid between two readings of its balance', async () => {
    const agent = await aVerifiedAgent()
    await correct(agent.id, 5)
    await correct(agent.id, -5)
    const accounts = openAgentAccounts(testTable())
    let earlier: ReturnType<typeof accounts.ofAgent> | undefined
    const ofAgent: typeof accounts.ofAgent = async (id) => {
      if (!earlier) {
        earlier = accounts.ofAgent(id)
        return earlier
      }
      await earlier
      await correct(agent.id, 1_000)
      return accounts.ofAgent(id)
    }
    const answer = await call(deleteAccount, {
      token: agent.token,
      body: { password: PASSWORD },
      deps: { payoutSettings: SETTINGS, agentAccounts: { ...accounts, ofAgent } },
    })
    expect(answer).toMatchObject({ status: 409, body: { code: 'balance_open' } })
    expect(await balanceOf(agent)).toMatchObject({ available: 1_000 })
  })

  it('leaves to the platform what is paid late, in a currency in which they were never owed anything', async () => {
    const agent = await aVerifiedAgent()
    const listingId = await aPublishedListing(agent.id, { price: { amount: 90_000, currency: 'EUR' } })
    const payment = await aPayment(payer, { amount: 10_000, purpose: 'rent', listingId }, undefined, RATES)
    await leave(agent)
    await paid(payment)
    const postings = await postingsOf(payment.id)
    expect(postings.map(({ account, amount }) => [account, amount]).sort()).toEqual([
      ['commission', -500],
      ['platform', -9_500],
      ['provider:standard-webhooks', 10_000],
    ])
    const query = { account: `agent:${agent.id}` }
    expect((await call(listLedgerBalances, { token: admin, query })).body).toEqual({ items: [] })
  })

  it('leaves refunds to the platform, which the commission shares, before and after what names them is erased', async () => {
    const { agent, payment } = await rentPaid(10_000)
    await correct(agent.id, -9_500)
    await leave(agent)
    await refunded(payment, 4_000)
    const left = await postingsOf(payment.id)
    await streamTo(followAccounts, deletionKey(UserId.parse(agent.id)))
    await refunded(payment, 6_000)
    const postings = await postingsOf(payment.id)
    const added = postings.slice(left.length)
    expect(added.map(({ account, amount }) => [account, amount]).sort()).toEqual([
      ['commission', 300],
      ['platform', 5_700],
      ['provider:standard-webhooks', -6_000],
    ])
    expect(
      left
        .slice(-3)
        .map(({ account, amount }) => [account, amount])
        .sort(),
    ).toEqual([
      ['commission', 200],
      ['platform', 3_800],
      ['provider:standard-webhooks', -4_000],
    ])
  })
})

describe('a statement as a file', () => {
  it('demands its days, and holds what a spreadsheet cannot execute', async () => {
    const { agent } = await rentPaid(5_000)
    const today = new Date()
    const day = (days: number) => new Date(today.getTime() + days * 86_400_000).toISOString().slice(0, 10)
    const file = (query: Record<string, string>) =>
      call(getStatement, {
        token: agent.token,
        query: { currency: 'EUR', ...query },
        headers: { accept: 'text/csv' },
      })
    expect(await file({})).toMatchObject({
      status: 400,
      body: { errors: [{ path: 'from' }, { path: 'to' }] },
    })
    expect(await file({ from: day(-93), to: day(0) })).toMatchObject({ status: 400 })
    expect(await file({ from: day(0), to: day(1), limit: '5' })).toMatchObject({
      status: 400,
      body: { errors: [{ path: 'limit' }] },
    })
    const { status, text, headers } = await file({ from: day(0), to: day(1) })
    expect(status).toBe(200)
    expect(headers['content-type']).toBe('text/csv; charset=utf-8')
    expect(headers['vary']).toContain('Accept')
    const lines = text.split('\r\n')
    expect(lines[0]).toBe('id,at,type,amount,balance,paymentId,payoutId,listingId,listingTitle')
    expect(lines).toHaveLength(4)
  })
})

describe('the ledger as a file', () => {
  it('adds up to nothing in each currency, as a spreadsheet reads it, and holds every posting of a payment', async () => {
    const { payment } = await rentPaid(12_345)
    await refunded(payment, 2_345)
    const postings = await postingsOf(payment.id)
    const day = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)
    const { status, text } = await call(listLedger, {
      token: admin,
      query: { from: day(-31), to: day(1) },
      headers: { accept: 'text/csv' },
    })
    expect(status).toBe(200)
    const [names = [], ...rows] = readCsv(text)
    const items = rows.map((row) => Object.fromEntries(names.map((name, place) => [name, row[place]])))
    for (const [currency, lines] of Map.groupBy(items, (item) => item['currency'])) {
      expect([currency, lines.reduce((sum, { amount }) => sum + Number(amount), 0)]).toEqual([currency, 0])
    }
    const own = items.filter(({ paymentId }) => paymentId === payment.id)
    expect(own.map(({ account, amount }) => [account, Number(amount)]).sort()).toEqual(
      postings.map(({ account, amount }) => [account, amount]).sort(),
    )
  })
})

describe('commission', () => {
  it('is rounded half to even, at any size', () => {
    expect([commissionOn(50, 100), commissionOn(150, 100), commissionOn(250, 100)]).toEqual([0, 2, 2])
    expect(commissionOn(999_999_999_999_999, 9_999)).toBe(999_899_999_999_999)
  })

  it('is shared so that a charge is never more nor less than its parts, whatever is taken', () => {
    const sums = fc.tuple(
      fc.integer({ min: 1, max: 10 ** 15 }),
      fc.integer({ min: 0, max: 10_000 }),
      fc.nat(),
    )
    fc.assert(
      fc.property(sums, ([amount, basisPoints, seed]) => {
        const charge = { amount, commission: commissionOn(amount, basisPoints) }
        const taken = seed % (amount + 1)
        const { agent, commission } = shareOf(charge, taken)
        expect(agent + commission + taken).toBe(amount)
        expect(Math.min(agent, commission)).toBeGreaterThanOrEqual(0)
        expect(shareOf(charge, amount)).toEqual({ agent: 0, commission: 0 })
      }),
    )
  })
})

// The last test: bounded balances do not add up to nothing.
it('A balance is exact beyond the greatest number that JSON carries, and is shown as that number.', async () => {
  const { agent, payment } = await rentPaid(1)
  const { listingId } = payment
  const free = { commissionRates: {} }
  for (let number = 0; number < 11; number += 1) {
    const largest = { amount: 10 ** 15, purpose: 'rent', listingId }
    await paid(await aPayment(payer, largest, undefined, free))
  }
  const most = Number.MAX_SAFE_INTEGER
  expect(await balanceOf(agent)).toMatchObject({ pending: 0, available: most })
  expect((await statementOf(agent)).slice(0, 2)).toMatchObject([{ balance: most }, { balance: most }])
  await payTo(agent)
  for (let number = 0; number < 10; number += 1) {
    const body = { agentId: agent.id, currency: 'EUR', method: 'by_hand' }
    const payout = await call(createPayout, { token: admin, body, deps: { payoutSettings: SETTINGS } })
    expect(payout).toMatchObject({ status: 201, body: { amount: 10 ** 15 } })
  }
  expect(await balanceOf(agent)).toMatchObject({ available: 10 ** 15 + 1, onItsWay: most })
  expect((await statementOf(agent))[0]).toMatchObject({ type: 'payout', balance: 10 ** 15 + 1 })
})
