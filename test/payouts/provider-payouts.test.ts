import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { spec as payoutsJob } from '#functions/jobs/payouts'
import { spec as listLedger } from '#functions/ledger/list-ledger'
import { spec as listCallbacks } from '#functions/payments/list-callbacks'
import { spec as callback } from '#functions/payments/payment-callback'
import { spec as replayCallback } from '#functions/payments/replay-callback'
import { spec as createPayout } from '#functions/payouts/create-payout'
import { spec as failPayout } from '#functions/payouts/fail-payout'
import { spec as getBalance } from '#functions/payouts/get-balance'
import { spec as getPayout } from '#functions/payouts/get-payout'
import { spec as settlePayout } from '#functions/payouts/settle-payout'
import { spec as deleteAccount } from '#functions/privacy/delete-account'
import { secondsAfter, timestamp } from '#lib/kernel/clock'
import { newId } from '#lib/kernel/id'
import type { CallbackView } from '#lib/payments/callbacks/callback-view'
import type { PayoutView } from '#lib/payouts/payout'
import { payouts as payoutStore } from '#lib/payouts/payout-store.dynamo'
import { circuitBreaker } from '#lib/providers/circuit-breaker.dynamo'
import { providerHttp } from '#lib/providers/http'
import type { Providers } from '#lib/providers/registry'
import { call } from '#test/support/call'
import { aVerifiedAgent, consoleToken, type GivenUser, PASSWORD } from '#test/support/given'
import { runJob } from '#test/support/jobs'
import { correct, SETTINGS as PAYOUT_SETTINGS, payTo } from '#test/support/payouts'
import { SETTINGS, testProviders } from '#test/support/providers'
import { type StandIn, type StandInAnswer, type StandInRequest, startStandIn } from '#test/support/stand-in'
import { PAYING, type PayingExample, type Sent, type Transfer } from '#test/support/transfers'

let admin: string
beforeAll(async () => {
  admin = await consoleToken()
})

let api: StandIn | undefined
afterEach(() => {
  api?.close()
  api = undefined
})

/** How a provider treats a request for a transfer: `loses` carries it out, and `fails` does not. */
type Treatment = 'accepts' | 'loses' | 'refuses' | { fails: number }

type World = {
  providers: Providers
  transfers: Transfer[]
  behaviour: { treatment: Treatment; isDown: boolean }
  requests: () => StandInRequest[]
}

let made = 9_000

/** A provider whose API is played, and what it was asked for. */
async function playing(name: string, example: PayingExample, more: object = {}): Promise<World> {
  const transfers: Transfer[] = []
  const behaviour: World['behaviour'] = { treatment: 'accepts', isDown: false }
  const transferred = (request: StandInRequest, reference: string): StandInAnswer => {
    const { treatment } = behaviour
    if (treatment === 'refuses') return example.refusal
    if (typeof treatment === 'object') return { status: treatment.fails, json: {} }
    made += 1
    const transfer: Transfer = { id: `${made}`, reference, request, state: 'pending' }
    transfers.push(transfer)
    return treatment === 'loses' ? 'hangs up' : example.accepted(transfer)
  }
  const stand = await startStandIn((request) => {
    const reference = example.referenceIn(request)
    if (reference !== undefined) return transferred(request, reference)
    if (behaviour.isDown && !/token|oauth/.test(request.path)) return { status: 503, json: {} }
    return example.answer(request, transfers.at(-1))
  })
  api = stand
  const settings = { ...SETTINGS[name], payouts: true, ...example.settings, ...more, apiBase: stand.url }
  const providers = testProviders({ [name]: settings }, { http: providerHttp })
  return { providers, transfers, behaviour, requests: () => stand.requests }
}

const each = Object.entries(PAYING)

/** An agent whom a provider can pay, with this much available. */
async function anAgentOf({ account, amount }: PayingExample, available = amount): Promise<GivenUser> {
  const agent = await aVerifiedAgent()
  const answer = await payTo(agent, account)
  if (answer.status !== 200) throw new Error(answer.text)
  await correct(agent.id, available, account.currency)
  return agent
}

const create = (agent: GivenUser, { account }: PayingExample, { providers }: World, more: object = {}) =>
  call(createPayout, {
    token: admin,
    body: { agentId: agent.id, currency: account.currency, ...more },
    deps: { payoutSettings: PAYOUT_SETTINGS, providers },
  })

async function created(agent: GivenUser, example: PayingExample, world: World): Promise<PayoutView> {
  const { status, body, text } = await create(agent, example, world)
  if (status !== 201) throw new Error(text)
  return body
}

const send = ({ providers }: World, afterSeconds = 0) =>
  runJob(payoutsJob, { providers, now: () => secondsAfter(new Date(), afterSeconds) })

const payoutOf = async (id: string): Promise<PayoutView> =>
  (await call(getPayout, { token: admin, params: { id } })).body

/** The cases of a provider come within a minute, in which only twenty unsigned callbacks make it be asked: each case is let ask. */
const deliver = (name: string, { providers }: World, { rawBody, headers = {}, query = {} }: Sent) => {
  const deps = { providers, circuitBreaker: { ...circuitBreaker.make(), count: async () => 1 } }
  return call(callback, { params: { provider: name }, rawBody, headers, query, deps })
}

/** Delivers what the provider answers to the questions that it was asked, where its answers are callbacks. */
async function answerQuestions(name: string, world: World): Promise<void> {
  const { answerTo } = PAYING[name] ?? {}
  for (const request of answerTo ? world.requests() : []) {
    const sent = answerTo?.(request, world.transfers.at(-1))
    if (sent) expect(await deliver(name, world, sent)).toMatchObject({ status: 200 })
  }
}

async function balanceOf(agent: GivenUser, currency: string) {
  const { body } = await call(getBalance, { token: agent.token, deps: { payoutSettings: PAYOUT_SETTINGS } })
  const { items }: { items: { currency: string; available: number; onItsWay: number }[] } = body
  const { available, onItsWay } = items.find((item) => item.currency === currency) ?? {}
  return { available, onItsWay }
}

/** The callbacks of a provider that were stored since, by how they ended. */
async function storedOf(name: string, reference: string): Promise<CallbackView[]> {
  const { body } = await call(listCallbacks, { token: admin, query: { provider: name, limit: '100' } })
  const { items }: { items: CallbackView[] } = body
  return items.filter((item) => item.reference === reference)
}

const sentTransfers = (example: PayingExample, world: World) =>
  world.requests().filter((request) => example.referenceIn(request) !== undefined)

const last = ({ transfers }: World): Transfer => {
  const transfer = transfers.at(-1)
  if (!transfer) throw new Error('No transfer was asked for')
  return transfer
}

/** A payout that was sent, and stands as its provider calls back. */
async function sent(name: string, example: PayingExample, state: Transfer['state'] = 'pending') {
  const world = await playing(name, example)
  const agent = await anAgentOf(example)
  const { id } = await created(agent, example, world)
  await send(world)
  if (state !== 'pending') await moveTo(name, example, world, state)
  return { world, agent, id }
}

async function moveTo(name: string, example: PayingExample, world: World, state: Transfer['state']) {
  Object.assign(last(world), { state })
  expect(await deliver(name, world, example.callback(last(world)))).toMatchObject({ status: 200 })
  await answerQuestions(name, world)
}

describe.each(each)('a payout by %s', (name, example) => {
  const { currency } = example.account

  it('is sent once with our reference, and PAID by the callback about it', async () => {
    const { world, agent, id } = await sent(name, example)
    const [request, ...others] = sentTransfers(example, world)
    expect(others).toEqual([])
    expect(JSON.parse(request?.body ?? '{}')).toMatchObject(example.sends(id))
    expect(await payoutOf(id)).toMatchObject({ status: 'PENDING', method: 'provider', provider: name })
    expect(await balanceOf(agent, currency)).toEqual({ available: 0, onItsWay: example.amount })
    await moveTo(name, example, world, 'paid')
    expect(await payoutOf(id)).toMatchObject({ status: 'PAID', reference: last(world).id, failure: null })
    expect(await balanceOf(agent, currency)).toEqual({ available: 0, onItsWay: 0 })
    const stored = await storedOf(name, id)
    expect(stored.map(({ status }) => status)).toContain('PROCESSED')
    expect(stored.map(({ status }) => status)).not.toContain('UNMATCHED')
  })

  it('is read until it has ended, where no callback comes', async () => {
    const { world, agent, id } = await sent(name, example)
    await send(world, 60)
    await answerQuestions(name, world)
    expect(await payoutOf(id)).toMatchObject({ status: 'PENDING', needsResolution: false })
    last(world).state = 'failed'
    await send(world, 600)
    await answerQuestions(name, world)
    expect(await payoutOf(id)).toMatchObject({
      status: 'FAILED',
      failure: { code: expect.any(String), message: expect.any(String) },
    })
    expect(await balanceOf(agent, currency)).toEqual({ available: example.amount, onItsWay: 0 })
  })

  it('is read, and never sent again, after a lost answer', async () => {
    const world = await playing(name, example)
    world.behaviour.treatment = 'loses'
    const agent = await anAgentOf(example)
    const { id } = await created(agent, example, world)
    await send(world)
    last(world).state = 'paid'
    await send(world, 60)
    await answerQuestions(name, world)
    expect(sentTransfers(example, world)).toHaveLength(1)
    expect(await payoutOf(id)).toMatchObject({ status: 'PAID', reference: last(world).id })
    expect(await balanceOf(agent, currency)).toEqual({ available: 0, onItsWay: 0 })
  })

  it('fails with the provider’s own words where it is refused, and its money is back', async () => {
    const world = await playing(name, example)
    world.behaviour.treatment = 'refuses'
    const agent = await anAgentOf(example)
    const { id } = await created(agent, example, world)
    await send(world)
    const { status, failure } = await payoutOf(id)
    expect([status, typeof failure?.code, typeof failure?.message]).toEqual(['FAILED', 'string', 'string'])
    expect(failure?.message).not.toBe('The provider could not pay')
    expect(await balanceOf(agent, currency)).toEqual({ available: example.amount, onItsWay: 0 })
  })

  it.each([429, 500, 503])('needs someone after a %i, and is not sent again', async (fails) => {
    const world = await playing(name, example)
    world.behaviour.treatment = { fails }
    const agent = await anAgentOf(example)
    const { id } = await created(agent, example, world)
    await send(world)
    await send(world, 60)
    await answerQuestions(name, world)
    await send(world, 25 * 60 * 60)
    expect(sentTransfers(example, world)).toHaveLength(1)
    expect(await payoutOf(id)).toMatchObject({ status: 'PENDING', needsResolution: true })
    expect(await balanceOf(agent, currency)).toEqual({ available: 0, onItsWay: example.amount })
  })

  it('stays FAILED and needs someone where it is paid after it had failed, until that is seen to', async () => {
    const { world, agent, id } = await sent(name, example, 'failed')
    expect(await payoutOf(id)).toMatchObject({ status: 'FAILED' })
    expect(await balanceOf(agent, currency)).toEqual({ available: example.amount, onItsWay: 0 })
    await moveTo(name, example, world, 'paid')
    expect(await payoutOf(id)).toMatchObject({ status: 'FAILED', needsResolution: true })
    expect(await balanceOf(agent, currency)).toEqual({ available: example.amount, onItsWay: 0 })
    const moved = { token: admin, params: { id }, deps: { providers: world.providers } }
    const settlement = { reference: 'Late', paidAt: new Date().toISOString() }
    expect(await call(settlePayout, { ...moved, body: settlement })).toMatchObject({
      status: 409,
      body: { code: 'payout_transition_not_allowed', from: 'FAILED', to: 'PAID', allowed: [] },
    })
    const seen = await call(failPayout, { ...moved, body: { note: 'Corrected the balance' } })
    expect(seen).toMatchObject({ status: 200, body: { status: 'FAILED', needsResolution: false } })
    expect(await call(failPayout, { ...moved, body: { note: 'Again' } })).toMatchObject({ body: seen.body })
    await moveTo(name, example, world, 'paid')
    expect(await payoutOf(id)).toMatchObject({ status: 'FAILED', needsResolution: false })
    expect(await balanceOf(agent, currency)).toEqual({ available: example.amount, onItsWay: 0 })
  })

  it('moves once by twenty copies of a callback at one moment', async () => {
    const { world, agent, id } = await sent(name, example)
    last(world).state = 'failed'
    const copy = example.callback(last(world))
    const answers = await Promise.all(Array.from({ length: 20 }, () => deliver(name, world, copy)))
    // What loses a race is sent again.
    expect(answers.filter(({ status }) => status !== 200 && status !== 503)).toEqual([])
    await Promise.all(Array.from({ length: 5 }, () => deliver(name, world, copy)))
    await answerQuestions(name, world)
    expect(await payoutOf(id)).toMatchObject({ status: 'FAILED' })
    expect(await balanceOf(agent, currency)).toEqual({ available: example.amount, onItsWay: 0 })
    expect((await storedOf(name, id)).filter(({ status }) => status === 'UNMATCHED')).toEqual([])
  })

  it('is not moved by who is not the provider', async () => {
    const { world, agent, id } = await sent(name, example)
    const answer = await deliver(name, world, example.forged(last(world)))
    expect(answer.status).toBe(example.signs ? 401 : 200)
    expect(await payoutOf(id)).toMatchObject({ status: 'PENDING' })
    expect(await balanceOf(agent, currency)).toEqual({ available: 0, onItsWay: example.amount })
  })

  it('is acknowledged, and never UNMATCHED, where a transfer is not ours', async () => {
    const { world } = await sent(name, example)
    for (const reference of [newId('payout'), 'salaries of November']) {
      const strange = { ...last(world), id: `1${last(world).id}`, reference, state: 'paid' as const }
      const { rawBody, headers = {} } = example.callback(strange)
      expect(await deliver(name, world, { rawBody, headers })).toMatchObject({ status: 200 })
      const statuses = (await storedOf(name, reference)).map(({ status }) => status)
      expect(statuses.filter((status) => status !== 'IGNORED')).toEqual([])
    }
  })
})

describe.each(each.filter(([, { returns }]) => returns))('money that %s returns', (name, example) => {
  const { currency } = example.account

  it('goes back to the agent, and a success that was sent before changes nothing after it', async () => {
    const { world, agent, id } = await sent(name, example, 'paid')
    const success = example.callback(last(world))
    await moveTo(name, example, world, 'returned')
    const returned = { status: 'FAILED', failure: { message: 'The money came back' } }
    expect(await payoutOf(id)).toMatchObject(returned)
    expect(await balanceOf(agent, currency)).toEqual({ available: example.amount, onItsWay: 0 })
    expect(await deliver(name, world, success)).toMatchObject({ status: 200 })
    expect(await payoutOf(id)).toMatchObject(returned)
  })

  it('ends the same where the success arrives after the return', async () => {
    const { world, agent, id } = await sent(name, example)
    const success = example.callback({ ...last(world), state: 'paid' })
    await moveTo(name, example, world, 'returned')
    expect(await deliver(name, world, success)).toMatchObject({ status: 200 })
    expect(await payoutOf(id)).toMatchObject({ status: 'FAILED' })
    expect(await balanceOf(agent, currency)).toEqual({ available: example.amount, onItsWay: 0 })
  })
})

describe('a callback about a payout that cannot be confirmed now', () => {
  it('is answered 503, and applied when it comes again', async () => {
    const flutterwave = PAYING['flutterwave'] as PayingExample
    const { world, id } = await sent('flutterwave', flutterwave)
    last(world).state = 'paid'
    world.behaviour.isDown = true
    const paid = flutterwave.callback(last(world))
    expect(await deliver('flutterwave', world, paid)).toMatchObject({ status: 503 })
    expect(await payoutOf(id)).toMatchObject({ status: 'PENDING' })
    world.behaviour.isDown = false
    expect(await deliver('flutterwave', world, paid)).toMatchObject({ status: 200 })
    expect(await payoutOf(id)).toMatchObject({ status: 'PAID' })
  })

  it.each(['flutterwave', 'mtn-momo'])('has its payout read by the next run of the job: %s', async (name) => {
    const example = PAYING[name] as PayingExample
    const { world, id } = await sent(name, example)
    last(world).state = 'paid'
    world.behaviour.isDown = true
    expect(await deliver(name, world, example.callback(last(world)))).toMatchObject({ status: 503 })
    const due = await payoutStore.make().due(timestamp(new Date()), 500)
    expect(due.map((payout) => payout.id)).toContain(id)
  })

  it('keeps nothing of the recipient, and is not replayed', async () => {
    const paystack = PAYING['paystack'] as PayingExample
    const { id } = await sent('paystack', paystack, 'paid')
    const [stored] = await storedOf('paystack', id)
    expect(stored).toMatchObject({ type: 'transfer.success', status: 'PROCESSED', paymentId: null })
    const replay = { token: admin, params: { id: stored?.id ?? '' }, body: {} }
    expect(await call(replayCallback, replay)).toMatchObject({ status: 200, body: { wouldChange: null } })
  })
})

describe('a payout that an administrator has failed', () => {
  it('stays FAILED by the provider’s later word that it was paid, and needs someone', async () => {
    const paystack = PAYING['paystack'] as PayingExample
    const world = await playing('paystack', paystack)
    world.behaviour.treatment = { fails: 503 }
    const agent = await anAgentOf(paystack)
    const { id } = await created(agent, paystack, world)
    await send(world)
    await send(world, 60)
    const failed = await call(failPayout, {
      token: admin,
      params: { id },
      body: { note: 'Paystack has none' },
      deps: { providers: world.providers },
    })
    expect(failed).toMatchObject({ status: 200, body: { status: 'FAILED' } })
    const [request] = sentTransfers(paystack, world)
    if (!request) throw new Error('No transfer was asked for')
    world.transfers.push({ id: 'TRF_late', reference: id.toLowerCase(), request, state: 'paid' })
    expect(await deliver('paystack', world, paystack.callback(last(world)))).toMatchObject({ status: 200 })
    expect(await payoutOf(id)).toMatchObject({
      status: 'FAILED',
      needsResolution: true,
      reference: 'TRF_late',
    })
    expect(await balanceOf(agent, 'NGN')).toEqual({ available: paystack.amount, onItsWay: 0 })
  })
})

describe('a payout of an agent whose account has ended', () => {
  it('is booked to the platform where it comes back', async () => {
    const paystack = PAYING['paystack'] as PayingExample
    const { world, agent, id } = await sent('paystack', paystack, 'paid')
    const ended = await call(deleteAccount, { token: agent.token, body: { password: PASSWORD } })
    expect(ended).toMatchObject({ status: 204 })
    await moveTo('paystack', paystack, world, 'returned')
    expect(await payoutOf(id)).toMatchObject({ status: 'FAILED' })
    const { body } = await call(listLedger, { token: admin, query: { account: 'platform', currency: 'NGN' } })
    expect(body.items.filter(({ payoutId }) => payoutId === id)).toMatchObject([
      { amount: -paystack.amount, reason: 'payout failed' },
    ])
  })
})

describe('what a provider pays out to', () => {
  const agentWith = async (account: object, currency: string, available: number) => {
    const agent = await aVerifiedAgent()
    expect(await payTo(agent, account)).toMatchObject({ status: 200 })
    await correct(agent.id, available, currency)
    return agent
  }

  it.each([
    [
      'wave',
      { method: 'mobile_money', country: 'CI', currency: 'XOF', phone: '+2250700000000', network: 'orange' },
    ],
    [
      'mtn-momo',
      { method: 'mobile_money', country: 'CM', currency: 'XAF', phone: '+237690000001', network: 'orange' },
    ],
    [
      'mpesa',
      { method: 'mobile_money', country: 'KE', currency: 'KES', phone: '+254733000001', network: 'airtel' },
    ],
    ['paystack', { method: 'bank', country: 'FR', currency: 'EUR', iban: 'FR1420041010050500013M02606' }],
    [
      'flutterwave',
      { method: 'bank', country: 'KE', currency: 'KES', accountNumber: '0690000031', bankCode: '68' },
    ],
  ])('is not every account: %s leaves %j to be paid by hand', async (name, account) => {
    const world = await playing(name, PAYING[name] as PayingExample)
    const agent = await agentWith({ ...account, holder: 'Awa Koné' }, account.currency, 500_000)
    const example = { ...(PAYING[name] as PayingExample), account }
    const forced = await create(agent, example, world, { method: 'provider' })
    expect(forced).toMatchObject({ status: 400, body: { errors: [{ path: 'method' }] } })
    expect(await create(agent, example, world)).toMatchObject({
      status: 201,
      body: { method: 'by_hand', provider: null, amount: 500_000 },
    })
  })

  it('is whole shillings between its bounds with mpesa', async () => {
    const mpesa = PAYING['mpesa'] as PayingExample
    const world = await playing('mpesa', mpesa)
    const agent = await agentWith(mpesa.account, 'KES', 30_000_050)
    for (const amount of [125_550, 900, 25_000_100]) {
      const refused = await create(agent, mpesa, world, { amount })
      expect(refused).toMatchObject({ status: 400, body: { errors: [{ path: 'amount' }] } })
    }
    expect(await create(agent, mpesa, world)).toMatchObject({ status: 201, body: { amount: 25_000_000 } })
    expect(await create(agent, mpesa, world)).toMatchObject({ status: 201, body: { amount: 5_000_000 } })
    expect(await create(agent, mpesa, world)).toMatchObject({
      status: 409,
      body: { code: 'payout_exceeds_balance', available: 50 },
    })
  })

  it('is nothing for an account that is not configured to', async () => {
    const wave = PAYING['wave'] as PayingExample
    const world = await playing('wave', wave, { payouts: false })
    const agent = await anAgentOf(wave)
    expect(await create(agent, wave, world)).toMatchObject({ status: 201, body: { method: 'by_hand' } })
  })

  it('is paid by an account that names the currency before one that takes any', async () => {
    const wave = PAYING['wave'] as PayingExample
    const world = await playing('wave', wave)
    const account = (await world.providers.find('wave')) ?? undefined
    const sandbox = await testProviders().find('sandbox')
    if (!account || !sandbox) throw new Error('They are not switched on')
    const all = async () => [
      { name: 'sandbox', provider: sandbox },
      { name: 'wave', provider: account },
    ]
    const agent = await anAgentOf(wave)
    const both = { ...world, providers: { ...world.providers, all } }
    expect(await create(agent, wave, both)).toMatchObject({ status: 201, body: { provider: 'wave' } })
  })
})
