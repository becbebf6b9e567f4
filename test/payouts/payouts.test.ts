import { beforeAll, describe, expect, it } from 'vitest'
import { spec as forgotPassword } from '#functions/accounts/passwords/forgot-password'
import { spec as resetPassword } from '#functions/accounts/passwords/reset-password'
import { spec as logout } from '#functions/accounts/sessions/logout'
import { spec as listActions } from '#functions/administration/list-actions'
import { spec as payoutsJob } from '#functions/jobs/payouts'
import { spec as setKycStatus } from '#functions/kyc/set-kyc-status'
import { spec as listLedgerBalances } from '#functions/ledger/list-ledger-balances'
import { spec as approvePayout } from '#functions/payouts/approve-payout'
import { spec as cancelPayout } from '#functions/payouts/cancel-payout'
import { spec as createPayout } from '#functions/payouts/create-payout'
import { spec as failPayout } from '#functions/payouts/fail-payout'
import { spec as getPayout } from '#functions/payouts/get-payout'
import { spec as getPayoutTarget } from '#functions/payouts/get-payout-target'
import { spec as listPayouts } from '#functions/payouts/list-payouts'
import { spec as runPayouts } from '#functions/payouts/run-payouts'
import { spec as settlePayout } from '#functions/payouts/settle-payout'
import { spec as deleteAccount } from '#functions/privacy/delete-account'
import { secondsAfter, type Timestamp, timestamp } from '#lib/kernel/clock'
import { UserId } from '#lib/kernel/id'
import { agentAccounts } from '#lib/ledger/agent-accounts.dynamo'
import type { PayoutView } from '#lib/payouts/payout'
import type { PayoutAccountStore } from '#lib/payouts/payout-account-store'
import { payoutAccounts } from '#lib/payouts/payout-account-store.dynamo'
import { payouts as payoutStore } from '#lib/payouts/payout-store.dynamo'
import { circuitBreaker } from '#lib/providers/circuit-breaker.dynamo'
import { ban } from '#test/support/bans'
import { type Answer, call } from '#test/support/call'
import { eventsOf } from '#test/support/events'
import { anAgent, aUser, aVerifiedAgent, consoleToken, type GivenUser, PASSWORD } from '#test/support/given'
import { runJob } from '#test/support/jobs'
import { mailedBy, tokenIn } from '#test/support/mail'
import { overtaken } from '#test/support/overtaken'
import { aPayment, paid } from '#test/support/payments'
import { aPaidAgent, aPayingProvider, BANK, balanceOf, correct, payTo, SETTINGS } from '#test/support/payouts'
import { aPublishedListing } from '#test/support/published'

let admin: string
let second: string

beforeAll(async () => {
  admin = await consoleToken()
  second = await consoleToken({ sub: 'second' })
})

const pay = (agent: GivenUser, more: object = {}, deps: Record<string, unknown> = {}) =>
  call(createPayout, {
    token: admin,
    body: { agentId: agent.id, currency: 'EUR', method: 'by_hand', ...more },
    deps: { payoutSettings: SETTINGS, ...deps },
  })

const made = async (agent: GivenUser, more: object = {}, deps: Record<string, unknown> = {}) => {
  const { status, body, text } = await pay(agent, more, deps)
  if (status !== 201) throw new Error(text)
  return body
}

const SETTLEMENT = { reference: 'SEPA 2026-11-20 / 7', paidAt: '2026-11-20T10:00:00.000Z' }
const settle = (id: string, body: object = SETTLEMENT, deps: Record<string, unknown> = {}) =>
  call(settlePayout, { token: admin, params: { id }, body, deps })

describe('POST /admin/payouts', () => {
  it('takes all that is available from the balance at once, and shows the last four of the account', async () => {
    const agent = await aPaidAgent(12_345)
    const payout = await made(agent)
    expect(payout).toMatchObject({
      id: expect.stringMatching(/^out_/),
      agentId: agent.id,
      amount: 12_345,
      currency: 'EUR',
      status: 'PENDING',
      method: 'by_hand',
      provider: null,
      reference: null,
      account: '2606',
      createdBy: 'admin',
      approvedBy: null,
      needsResolution: false,
      failure: null,
    })
    expect(await balanceOf(agent)).toEqual({ currency: 'EUR', pending: 0, available: 0, onItsWay: 12_345 })
  })

  it('refuses one minor unit more than is available, and nothing at all', async () => {
    const agent = await aPaidAgent(1_000)
    const over = await pay(agent, { amount: 1_001 })
    expect(over).toMatchObject({ status: 409, body: { code: 'payout_exceeds_balance', available: 1_000 } })
    await made(agent, { amount: 1_000 })
    expect(await pay(agent)).toMatchObject({ status: 409, body: { code: 'payout_exceeds_balance' } })
  })

  it('pays what there is once, whatever comes at the same moment', async () => {
    const agent = await aPaidAgent(1_000)
    const answers = await Promise.all(Array.from({ length: 6 }, () => pay(agent, { amount: 400 })))
    const statuses = answers.map(({ status }) => status).sort()
    expect(statuses.filter((status) => status === 201)).toHaveLength(2)
    expect(await balanceOf(agent)).toMatchObject({ available: 200, onItsWay: 800 })
  })

  it('takes nothing of a payment that comes while it is made, and is still held back', async () => {
    const agent = await aPaidAgent(300)
    const listingId = await aPublishedListing(agent.id, { price: { amount: 90_000, currency: 'EUR' } })
    const payment = await aPayment(await aUser(), { amount: 1_000, purpose: 'rent', listingId })
    const accounts = agentAccounts.make()
    let held: ReturnType<typeof accounts.heldPayments> | undefined
    const late = {
      ...accounts,
      heldPayments: (...of: Parameters<typeof accounts.heldPayments>) => {
        if (held) return accounts.heldPayments(...of)
        held = accounts.heldPayments(...of).then(async (found) => {
          await paid(payment)
          return found
        })
        return held
      },
      get: async (...of: Parameters<typeof accounts.get>) => {
        await Promise.resolve()
        // The slower of two reads at once sees the payment.
        await held
        return accounts.get(...of)
      },
    }
    const week = { payoutSettings: { ...SETTINGS, delayDays: 7 }, agentAccounts: late }
    expect(await made(agent, {}, week)).toMatchObject({ amount: 300 })
  })

  it('answers the same key with the first payout', async () => {
    const agent = await aPaidAgent(900)
    const headers = { 'idempotency-key': `payout-${agent.id}` }
    const body = { agentId: agent.id, currency: 'EUR', amount: 300 }
    const request = { token: admin, body, headers, deps: { payoutSettings: SETTINGS } }
    const [first, again] = [await call(createPayout, request), await call(createPayout, request)]
    expect(first.status).toBe(201)
    expect(again).toMatchObject({ status: 201, body: first.body })
    expect(await balanceOf(agent)).toMatchObject({ available: 600 })
    const without = await call(createPayout, { ...request, headers: { 'idempotency-key': undefined } })
    expect(without).toMatchObject({ status: 400, body: { code: 'idempotency_key_required' } })
  })

  it('answers a repetition that the first payout overtakes with that payout, which left nothing to pay', async () => {
    const agent = await aPaidAgent(900)
    const headers = { 'idempotency-key': `overtaken-${agent.id}` }
    const body = { agentId: agent.id, currency: 'EUR', method: 'by_hand' }
    const request = { token: admin, body, headers }
    let first: Answer<PayoutView> | undefined
    const accounts = overtaken(agentAccounts.make(), 'get', async () => {
      first = await call(createPayout, { ...request, deps: { payoutSettings: SETTINGS } })
    })
    const again = await call(createPayout, {
      ...request,
      deps: { payoutSettings: SETTINGS, agentAccounts: accounts },
    })
    expect(first).toMatchObject({ status: 201, body: { amount: 900 } })
    expect(again).toMatchObject({ status: 201, body: first?.body })
    expect(again.headers['idempotent-replayed']).toBe('true')
  })

  it.each([
    ['an unknown agent', async () => ({ id: 'usr_01KAH3M6XQ8ZJ4T2V7W9C5RBND' }), 404, 'not_found'],
    ['a user who is no agent', () => aUser(), 404, 'not_found'],
    ['an agent who is not verified', () => anAgent(), 409, 'owner_not_verified'],
    ['an agent without an account', () => aVerifiedAgent(), 409, 'payout_account_missing'],
  ])('refuses %s', async (_who, given, status, code) => {
    const agent = await given()
    expect(await pay(agent as GivenUser)).toMatchObject({ status, body: { code } })
  })

  it('refuses an account that rests after a change, and one in another currency', async () => {
    const agent = await aPaidAgent(500)
    const resting = { payoutSettings: { ...SETTINGS, accountHoldHours: 72 } }
    await payTo(agent, { ...BANK, holder: 'Awa K.' }, resting)
    expect(await pay(agent)).toMatchObject({ status: 409, body: { code: 'payout_account_missing' } })
    await payTo(agent)
    const francs = await pay(agent, { currency: 'XOF' })
    expect(francs).toMatchObject({ status: 409, body: { code: 'payout_account_missing' } })
    expect((await pay(agent)).status).toBe(201)
  })
})

describe('a payout by hand', () => {
  it('is PAID once its bank reference is known; the same again is 200', async () => {
    const agent = await aPaidAgent(700)
    const { id } = await made(agent)
    const paid = await settle(id)
    expect(paid).toMatchObject({ status: 200, body: { status: 'PAID', reference: SETTLEMENT.reference } })
    expect(await settle(id)).toMatchObject({ status: 200, body: paid.body })
    const failed = await call(failPayout, { token: admin, params: { id }, body: { note: 'Too late' } })
    expect(failed).toMatchObject({
      status: 409,
      body: { code: 'payout_transition_not_allowed', from: 'PAID', to: 'FAILED', allowed: [] },
    })
    expect(await balanceOf(agent)).toMatchObject({ available: 0, onItsWay: 0 })
  })

  it('gives the money back to the agent when it fails or is cancelled', async () => {
    const agent = await aPaidAgent(700)
    const [one, other] = [await made(agent, { amount: 300 }), await made(agent, { amount: 400 })]
    const fail = { token: admin, params: { id: one.id }, body: { note: 'The bank refused' } }
    expect(await call(failPayout, fail)).toMatchObject({
      status: 200,
      body: { status: 'FAILED', failure: { message: 'The bank refused' } },
    })
    const cancel = { token: admin, params: { id: other.id } }
    expect(await call(cancelPayout, cancel)).toMatchObject({ status: 200, body: { status: 'CANCELLED' } })
    expect((await call(cancelPayout, cancel)).status).toBe(200)
    expect(await balanceOf(agent)).toMatchObject({ available: 700, onItsWay: 0 })
  })

  it('ends once when two administrators settle and cancel at the same moment', async () => {
    const agent = await aPaidAgent(600)
    const { id } = await made(agent)
    await Promise.all([settle(id), call(cancelPayout, { token: second, params: { id } })])
    const { body } = await call(getPayout, { token: admin, params: { id } })
    const { status }: PayoutView = body
    expect(await balanceOf(agent)).toMatchObject({
      available: status === 'PAID' ? 0 : 600,
      onItsWay: 0,
    })
  })

  it('that is unknown is a 404', async () => {
    expect(await settle('out_01KAH3M6XQ8ZJ4T2V7W9C5RBND')).toMatchObject({
      status: 404,
      body: { code: 'not_found' },
    })
  })

  it('is not settled in the future', async () => {
    const agent = await aPaidAgent(100)
    const { id } = await made(agent)
    const future = { ...SETTLEMENT, paidAt: secondsAfter(new Date(), 3600).toISOString() }
    expect(await settle(id, future)).toMatchObject({
      status: 400,
      body: { errors: [{ path: 'paidAt' }] },
    })
  })

  it.each(['9999-12-31T23:59:59-01:00', '0000-01-01T00:00:00+01:00'])(
    'is not settled at %s, which is in no year that a time can hold, and stays readable',
    async (paidAt) => {
      const { id } = await made(await aPaidAgent(100))
      expect(await settle(id, { ...SETTLEMENT, paidAt })).toMatchObject({
        status: 400,
        body: { errors: [{ path: 'paidAt' }] },
      })
      const { status, body } = await call(getPayout, { token: admin, params: { id } })
      expect({ status, body }).toMatchObject({ status: 200, body: { status: 'PENDING' } })
    },
  )
})

describe('a payout above the limit of one administrator', () => {
  const payoutSettings = { ...SETTINGS, approvalLimits: { EUR: 1_000 } }

  it('awaits another administrator, counting the payouts of 24 hours', async () => {
    const agent = await aPaidAgent(5_000)
    expect(await made(agent, { amount: 600 }, { payoutSettings })).toMatchObject({ status: 'PENDING' })
    const { id, status } = await made(agent, { amount: 401 }, { payoutSettings })
    expect(status).toBe('AWAITING_APPROVAL')
    const own = await call(approvePayout, { token: admin, params: { id } })
    expect(own).toMatchObject({ status: 403, body: { code: 'second_person_needed' } })
    const approved = await call(approvePayout, { token: second, params: { id } })
    expect(approved).toMatchObject({ status: 200, body: { status: 'PENDING', approvedBy: 'second' } })
    expect((await call(approvePayout, { token: second, params: { id } })).status).toBe(200)
    const settlement = { reference: 'by hand', paidAt: new Date().toISOString() }
    expect((await call(settlePayout, { token: admin, params: { id }, body: settlement })).status).toBe(200)
    // The answer to the approval may have been lost.
    const again = await call(approvePayout, { token: second, params: { id } })
    expect(again).toMatchObject({ status: 200, body: { status: 'PAID', approvedBy: 'second' } })
  })

  it('is cancelled by a change of the account while it awaits approval, but not by the same account again', async () => {
    const agent = await aPaidAgent(5_000)
    const { id } = await made(agent, { amount: 1_001 }, { payoutSettings })
    const statusAfter = async (account: object) => {
      expect((await payTo(agent, account)).status).toBe(200)
      const { body } = await call(getPayout, { token: admin, params: { id } })
      return body.status
    }
    expect(await statusAfter(BANK)).toBe('AWAITING_APPROVAL')
    expect(await statusAfter({ ...BANK, holder: 'Awa K.' })).toBe('CANCELLED')
    expect(await balanceOf(agent)).toMatchObject({ available: 5_000, onItsWay: 0 })
  })

  it('rests from the first time that its account was given: the same again changes and announces nothing', async () => {
    const agent = await aPaidAgent(0)
    const first = (await payTo(agent)).body
    expect((await payTo(agent)).body).toEqual(first)
    expect(await eventsOf(agent.id, 'user.payout_account_changed')).toHaveLength(1)
  })

  it('leaves failed and cancelled ones out of the sum', async () => {
    const agent = await aPaidAgent(5_000)
    const { id } = await made(agent, { amount: 900 }, { payoutSettings })
    await call(cancelPayout, { token: admin, params: { id } })
    expect(await made(agent, { amount: 900 }, { payoutSettings })).toMatchObject({ status: 'PENDING' })
  })
})

describe('GET /admin/payouts/{id}/account', () => {
  const read = (id: string, token: string) => call(getPayoutTarget, { token, params: { id } })

  it('says where a PENDING payout by hand goes, and the journal records the reading', async () => {
    const agent = await aPaidAgent(1_000)
    const { id } = await made(agent, { method: 'by_hand' })
    expect(await read(id, admin)).toMatchObject({
      status: 200,
      body: {
        holder: BANK.holder,
        iban: 'FR1420041010050500013M02606',
        phone: null,
        country: 'FR',
        currency: 'EUR',
      },
    })
    const { body } = await call(listActions, { token: admin, query: { subject: id } })
    expect(body.items.map(({ action }) => action)).toContain('payout.account_viewed')
    expect((await settle(id)).status).toBe(200)
    expect(await read(id, admin)).toMatchObject({
      status: 409,
      body: { code: 'payout_transition_not_allowed' },
    })
  })

  it('is for administrators of payments alone, freshly signed in', async () => {
    const agent = await aPaidAgent(1_000)
    const { id } = await made(agent, { method: 'by_hand' })
    expect(await read(id, await consoleToken({ 'cognito:groups': ['auditors'] }))).toMatchObject({
      status: 403,
    })
    expect(await read(id, await consoleToken({ 'cognito:groups': ['people'] }))).toMatchObject({
      status: 403,
    })
    expect(await read(id, agent.token)).toMatchObject({ status: 403 })
  })
})

describe('a payout account by its IBAN', () => {
  const inIvoryCoast = { ...BANK, country: 'CI', currency: 'XOF' }

  it.each([
    ['its present form', 'CI93 CI00 8011 1301 1342 9120 0589'],
    ['its former form', 'CI05 A000 6017 4100 1785 3001 1852'],
  ])("may be of Côte d'Ivoire, in %s", async (_what, iban) => {
    const agent = await aVerifiedAgent()
    expect(await payTo(agent, { ...inIvoryCoast, iban })).toMatchObject({ status: 200 })
  })

  it.each([
    'CI93CI0080111301134291200598',
    'CI94CI0080111301134291200589',
    'CI93CI008011130113429120058',
    'CI93C10080111301134291200589',
  ])('is refused where its check digits or its shape are wrong: %s', async (iban) => {
    const agent = await aVerifiedAgent()
    const { status, body } = await payTo(agent, { ...inIvoryCoast, iban })
    expect({ status, body }).toMatchObject({ status: 400, body: { errors: [{ path: 'iban' }] } })
  })
})

describe('a payout whose agent names another account at that moment', () => {
  it('goes to no account that was replaced before the payout was made', async () => {
    const agent = await aPaidAgent(1_000)
    const accounts = payoutAccounts.make()
    let isChanged = false
    const get: PayoutAccountStore['get'] = async (id) => {
      const seen = await accounts.get(id)
      if (!isChanged) {
        isChanged = true
        const { status } = await payTo(agent, { ...BANK, iban: 'FR7630006000011234567890189' })
        expect(status).toBe(200)
      }
      return seen
    }
    expect(await made(agent, {}, { payoutAccounts: { ...accounts, get } })).toMatchObject({ account: '0189' })
  })

  it('is cancelled, though the index of the payouts of an agent may lack it for a second', async () => {
    const { providers } = aPayingProvider()
    const agent = await aPaidAgent(1_000)
    const { id } = await made(agent, { method: 'provider' }, { providers })
    const behind = { ...payoutStore.make(), byAgent: async () => ({ items: [], next: undefined }) }
    const changed = { ...BANK, iban: 'FR7630006000011234567890189' }
    expect((await payTo(agent, changed, { payouts: behind })).status).toBe(200)
    const { body } = await call(getPayout, { token: admin, params: { id } })
    expect(body).toMatchObject({ status: 'CANCELLED' })
  })
})

it.each(['ß', 'ſ', 'ı', 'ﬁ'])(
  'An account number with %s, which is a letter A to Z in upper case only, is refused',
  async (letter) => {
    const account = { method: 'bank', country: 'KE', currency: 'KES', holder: 'Awa Koné', bankCode: '68' }
    const agent = await aVerifiedAgent()
    expect(await payTo(agent, { ...account, accountNumber: `069${letter}31` })).toMatchObject({
      status: 400,
      body: { errors: [{ path: 'accountNumber' }] },
    })
    expect(await payTo(agent, { ...account, accountNumber: '06-9k 31' })).toMatchObject({
      status: 200,
      body: { last4: '9K31' },
    })
  },
)

/** Closes an agent's accounts of money, as the end of their own account does. */
async function closeAccounts({ id }: GivenUser): Promise<void> {
  const accounts = agentAccounts.make()
  const agentId = UserId.parse(id)
  await accounts.commit(accounts.close(agentId, await accounts.ofAgent(agentId)))
}

/** Takes an agent's verification away. */
async function refuse({ id }: GivenUser): Promise<void> {
  const body = { userId: id, kycStatus: 'REJECTED', reasons: ['underage'] }
  expect((await call(setKycStatus, { token: admin, body })).status).toBe(200)
}

describe('a payout whose agent is banned or loses the verification while it is made', () => {
  it.each([
    ['banned', ban],
    ['refused', refuse],
  ] as const)('is refused: nothing cancels what is made after the agent was %s', async (_what, end) => {
    const agent = await aPaidAgent(1_000)
    const payouts = payoutStore.make()
    const answer = await pay(agent, {}, { payouts: overtaken(payouts, 'commit', () => end(agent)) })
    expect(answer).toMatchObject({ status: 409, body: { code: 'owner_not_verified' } })
    expect(await payouts.underWay(UserId.parse(agent.id))).toEqual([])
  })
})

describe('a payout account whose agent loses their own account while it is given', () => {
  const deletionOf = async ({ token }: GivenUser) => {
    const { status } = await call(deleteAccount, { token, body: { password: PASSWORD } })
    expect(status).toBe(204)
  }

  const resetOf = async ({ email }: GivenUser) => {
    const { mails } = await mailedBy(forgotPassword, { body: { email } })
    const body = { token: tokenIn(mails[0]), newPassword: 'nine herons over the weir' }
    expect((await call(resetPassword, { body })).status).toBe(204)
  }

  const signOutOf = async ({ token }: GivenUser) => {
    expect((await call(logout, { token, body: { all: true } })).status).toBe(204)
  }

  it.each([
    ['deleted', deletionOf],
    ['banned', ban],
    ['reset', resetOf],
    ['signed out everywhere', signOutOf],
  ] as const)('is not stored once that is %s', async (_what, end) => {
    const agent = await aVerifiedAgent()
    const accounts = overtaken(payoutAccounts.make(), 'commit', () => end(agent))
    expect(await payTo(agent, BANK, { payoutAccounts: accounts })).toMatchObject({
      status: 401,
      body: { code: 'unauthenticated' },
    })
    expect(await payoutAccounts.make().get(UserId.parse(agent.id))).toBeUndefined()
  })
})

describe('a payout by a provider', () => {
  it('is sent by the job, and PAID when the provider says so', async () => {
    const { providers, asked } = aPayingProvider()
    const agent = await aPaidAgent(1_234)
    const payout = await made(agent, { method: 'provider' }, { providers })
    expect(payout).toMatchObject({ method: 'provider', provider: 'payer', amount: 1_230 })
    await runJob(payoutsJob, { providers })
    expect(asked.filter(({ id }) => id === payout.id)).toMatchObject([
      { amount: 1_230, currency: 'EUR', target: { iban: 'FR1420041010050500013M02606' } },
    ])
    const { body } = await call(getPayout, { token: admin, params: { id: payout.id } })
    expect(body).toMatchObject({ status: 'PAID', reference: `ref_${payout.id}` })
    expect(await balanceOf(agent)).toMatchObject({ available: 4, onItsWay: 0 })
  })

  it('refuses an amount that the provider cannot count', async () => {
    const { providers } = aPayingProvider()
    const agent = await aPaidAgent(1_000)
    const odd = await pay(agent, { method: 'provider', amount: 7 }, { providers })
    expect(odd).toMatchObject({ status: 400, body: { errors: [{ path: 'amount' }] } })
  })

  it('is read, not sent again, after a lost answer', async () => {
    const { providers, asked, behaviour } = aPayingProvider()
    behaviour.answers = false
    const agent = await aPaidAgent(1_000)
    const { id } = await made(agent, { method: 'provider' }, { providers })
    await runJob(payoutsJob, { providers })
    await runJob(payoutsJob, { providers })
    expect(asked.filter((order) => order.id === id)).toHaveLength(1)
    expect((await call(getPayout, { token: admin, params: { id } })).body).toMatchObject({ status: 'PAID' })
  })

  it('needs no resolution where it was cancelled just before its provider was found to pay out no more', async () => {
    const { providers } = aPayingProvider()
    const agent = await aPaidAgent(1_000)
    const { id } = await made(agent, { method: 'provider' }, { providers })
    const find: typeof providers.find = async () => {
      await call(cancelPayout, { token: admin, params: { id } })
      return undefined
    }
    await runJob(payoutsJob, { providers: { ...providers, find } })
    const { body } = await call(getPayout, { token: admin, params: { id } })
    expect(body).toMatchObject({ status: 'CANCELLED', needsResolution: false })
  })

  it('takes no place in a run of the job while its provider is left alone, and is sent after that', async () => {
    const { providers, asked } = aPayingProvider()
    const agent = await aPaidAgent(1_000)
    const { id } = await made(agent, { method: 'provider' }, { providers })
    const until = timestamp(secondsAfter(new Date(), 60 * 60))
    const open = { ...circuitBreaker.make(), of: async () => ({ failures: 5, openings: 1, until }) }
    await runJob(payoutsJob, { providers, circuitBreaker: open })
    const dueAt = async (now: Timestamp) =>
      (await payoutStore.make().due(now, 500)).map(({ id: dueId }) => dueId)
    expect(await dueAt(timestamp(new Date()))).not.toContain(id)
    expect(await dueAt(until)).toContain(id)
    expect(asked).toEqual([])
    await runJob(payoutsJob, { providers, now: () => new Date(until) })
    expect(asked.filter((order) => order.id === id)).toHaveLength(1)
  })

  it('is sent once by several runs of the job at one moment', async () => {
    const { providers, asked } = aPayingProvider()
    const agent = await aPaidAgent(1_000)
    const { id } = await made(agent, { method: 'provider' }, { providers })
    await Promise.all([1, 2, 3].map(() => runJob(payoutsJob, { providers })))
    expect(asked.filter((order) => order.id === id)).toHaveLength(1)
  })

  it('is settled by hand after a day without an answer, where the provider then knows nothing of it', async () => {
    const { providers, behaviour } = aPayingProvider()
    behaviour.carriesOut = false
    behaviour.isDown = true
    const agent = await aPaidAgent(1_000)
    const { id } = await made(agent, { method: 'provider' }, { providers })
    await runJob(payoutsJob, { providers })
    await runJob(payoutsJob, { providers, now: () => secondsAfter(new Date(), 24 * 60 * 60) })
    const { body } = await call(getPayout, { token: admin, params: { id } })
    expect(body).toMatchObject({ status: 'PENDING', needsResolution: true })
    behaviour.isDown = false
    expect(await settle(id, SETTLEMENT, { providers })).toMatchObject({
      status: 200,
      body: { status: 'PAID' },
    })
  })

  it('needs someone once the provider knew nothing of it twice, and is then settled or failed by hand', async () => {
    const { providers, behaviour } = aPayingProvider()
    behaviour.carriesOut = false
    const agent = await aPaidAgent(1_000)
    const { id } = await made(agent, { method: 'provider' }, { providers })
    await runJob(payoutsJob, { providers })
    expect(await settle(id, SETTLEMENT, { providers })).toMatchObject({
      status: 409,
      body: { code: 'payout_transition_not_allowed' },
    })
    await runJob(payoutsJob, { providers, now: () => secondsAfter(new Date(), 60) })
    const { body } = await call(getPayout, { token: admin, params: { id } })
    expect(body).toMatchObject({ status: 'PENDING', needsResolution: true })
    const failed = await call(failPayout, {
      token: admin,
      params: { id },
      body: { note: 'The provider has none' },
      deps: { providers },
    })
    expect(failed).toMatchObject({ status: 200, body: { status: 'FAILED', needsResolution: false } })
    expect(await balanceOf(agent)).toMatchObject({ available: 1_000, onItsWay: 0 })
  })

  it('is not failed by hand where the provider, asked at that moment, knows it', async () => {
    const { providers, behaviour, paid } = aPayingProvider()
    behaviour.carriesOut = false
    const agent = await aPaidAgent(1_000)
    const { id } = await made(agent, { method: 'provider' }, { providers })
    await runJob(payoutsJob, { providers })
    await runJob(payoutsJob, { providers, now: () => secondsAfter(new Date(), 60) })
    paid.set(id, { state: 'paid', reference: 'late' })
    const body = { note: 'Nothing arrived' }
    const failed = await call(failPayout, { token: admin, params: { id }, body, deps: { providers } })
    expect(failed).toMatchObject({
      status: 409,
      body: { code: 'payout_transition_not_allowed', from: 'PAID' },
    })
    expect(await balanceOf(agent)).toMatchObject({ available: 0, onItsWay: 0 })
  })

  it('gives money that comes back to the platform where its agent leaves at that moment', async () => {
    const agent = await aPaidAgent(1_000)
    const { id } = await made(agent)
    const payouts = overtaken(payoutStore.make(), 'commit', () => closeAccounts(agent))
    const fail = { token: admin, params: { id }, body: { note: 'The bank refused' } }
    expect(await call(failPayout, { ...fail, deps: { payouts } })).toMatchObject({
      status: 200,
      body: { status: 'FAILED' },
    })
    const [account] = await agentAccounts.make().ofAgent(UserId.parse(agent.id))
    expect(account).toMatchObject({ balance: 0n, isClosed: true })
  })

  it('brings the money back when the provider refuses', async () => {
    const { providers, behaviour } = aPayingProvider()
    behaviour.state = 'failed'
    const agent = await aPaidAgent(1_000)
    const { id } = await made(agent, { method: 'provider' }, { providers })
    await runJob(payoutsJob, { providers })
    expect((await call(getPayout, { token: admin, params: { id } })).body).toMatchObject({ status: 'FAILED' })
    expect(await balanceOf(agent)).toMatchObject({ available: 1_000, onItsWay: 0 })
  })
})

describe('GET /admin/payouts and POST /admin/payouts/run', () => {
  it('lists by agent, status and currency', async () => {
    const agent = await aPaidAgent(900)
    const first = await made(agent, { amount: 100 })
    const last = await made(agent, { amount: 200 })
    await settle(first.id)
    const of = async (query: Record<string, string>) => {
      const { body } = await call(listPayouts, { token: admin, query: { agentId: agent.id, ...query } })
      return body.items.map(({ id }) => id)
    }
    expect(await of({})).toEqual([last.id, first.id])
    expect(await of({ status: 'PAID' })).toEqual([first.id])
    expect(await of({ currency: 'XOF' })).toEqual([])
  })

  it('pays everyone once: a second run finds nothing left', async () => {
    const [one, other, poor] = [await aPaidAgent(500), await aPaidAgent(800), await aPaidAgent(1)]
    const unpayable = await aVerifiedAgent()
    await correct(unpayable.id, 900)
    const { providers } = aPayingProvider()
    const body = { currency: 'EUR', minimum: 100 }
    const request = { token: admin, body, deps: { payoutSettings: SETTINGS, providers } }
    const { status, body: first } = await call(runPayouts, request)
    expect(status).toBe(202)
    expect(first).toMatchObject({ created: expect.any(Number), skipped: expect.any(Number) })
    expect((first as { skipped: number }).skipped).toBeGreaterThanOrEqual(1)
    for (const agent of [one, other]) expect(await balanceOf(agent)).toMatchObject({ available: 0 })
    expect(await balanceOf(poor)).toMatchObject({ available: 1 })
    expect((await call(runPayouts, request)).body).toMatchObject({ created: 0 })
  })
})

it('The trial balance adds up to nothing in every currency', async () => {
  await made(await aPaidAgent(4_321))
  const { body } = await call(listLedgerBalances, { token: admin })
  const { items }: { items: { account: string; currency: string; balance: number }[] } = body
  expect(items.map(({ account }) => account)).toEqual(expect.arrayContaining(['agents', 'payouts:by_hand']))
  const sums = Map.groupBy(items, ({ currency }) => currency)
  for (const [currency, accounts] of sums) {
    expect([currency, accounts.reduce((sum, { balance }) => sum + balance, 0)]).toEqual([currency, 0])
  }
})
