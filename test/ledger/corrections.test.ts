import { beforeAll, describe, expect, it } from 'vitest'
import { spec as correctLedger } from '#functions/ledger/correct-ledger'
import { spec as listLedgerBalances } from '#functions/ledger/list-ledger-balances'
import { newId } from '#lib/kernel/id'
import { askedCorrections } from '#lib/ledger/asked-corrections.dynamo'
import { call } from '#test/support/call'
import { aVerifiedAgent, consoleToken, type GivenUser } from '#test/support/given'
import { balanceOf, SETTINGS } from '#test/support/payouts'

let admin: string
let second: string

beforeAll(async () => {
  admin = await consoleToken()
  second = await consoleToken({ sub: 'second' })
})

const payoutSettings = { ...SETTINGS, approvalLimits: { EUR: 1_000 } }

const correct = (token: string, agent: GivenUser, amount: number, key: string, more: object = {}) =>
  call(correctLedger, {
    token,
    body: { agentId: agent.id, currency: 'EUR', amount, note: 'A transfer of October', ...more },
    headers: { 'idempotency-key': key },
    deps: { payoutSettings },
  })

const aKey = () => `correction-${newId('transaction')}`
const NEEDED = { status: 403, body: { code: 'second_person_needed' } }
const UNASKED = { status: 400, body: { errors: [{ path: 'approvalOf' }] } }

describe('a correction above the limit of one administrator', () => {
  it.each([1_001, -1_001])(
    'a correction of %i is booked by another administrator who repeats it',
    async (amount) => {
      const agent = await aVerifiedAgent()
      const key = aKey()
      expect(await correct(admin, agent, amount, key)).toMatchObject(NEEDED)
      expect(await correct(admin, agent, amount, aKey(), { approvalOf: key })).toMatchObject(NEEDED)
      expect(await balanceOf(agent)).toBeUndefined()
      expect(await correct(second, agent, 2 * amount, aKey(), { approvalOf: key })).toMatchObject(UNASKED)
      const own = aKey()
      const booked = await correct(second, agent, amount, own, { approvalOf: key })
      expect(booked).toMatchObject({ status: 201, body: { type: 'correction', amount, balance: amount } })
      expect(await correct(second, agent, amount, own, { approvalOf: key })).toMatchObject({
        status: 201,
        body: booked.body,
      })
      expect(await balanceOf(agent)).toMatchObject({ available: amount })
    },
  )

  it('is unknown under a key of half a character', async () => {
    const agent = await aVerifiedAgent()
    expect(await correct(second, agent, 1_001, aKey(), { approvalOf: '\ud800' })).toMatchObject(UNASKED)
  })

  it('is booked once, however often and under whatever key it is repeated', async () => {
    const agent = await aVerifiedAgent()
    const key = aKey()
    await correct(admin, agent, 5_000, key)
    const approve = () => correct(second, agent, 5_000, aKey(), { approvalOf: key })
    const answers = await Promise.all([approve(), approve(), approve()])
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 400, 400])
    // A repetition of the first request asks for nothing new.
    expect(await correct(admin, agent, 5_000, key)).toMatchObject(NEEDED)
    expect(await approve()).toMatchObject(UNASKED)
    expect(await balanceOf(agent)).toMatchObject({ available: 5_000 })
  })
})

it('An approval that comes while its correction is asked for again is used up, too', async () => {
  const agent = await aVerifiedAgent()
  const key = aKey()
  await correct(admin, agent, 5_000, key)
  const approve = () => correct(second, agent, 5_000, aKey(), { approvalOf: key })
  const asked = askedCorrections.make()
  const get: typeof asked.get = async (of) => {
    const seen = await asked.get(of)
    expect((await approve()).status).toBe(201)
    return seen
  }
  const again = await call(correctLedger, {
    token: admin,
    body: { agentId: agent.id, currency: 'EUR', amount: 5_000, note: 'A transfer of October' },
    headers: { 'idempotency-key': key },
    deps: { payoutSettings, askedCorrections: { ...asked, get } },
  })
  expect(again).toMatchObject(NEEDED)
  expect(await approve()).toMatchObject(UNASKED)
  expect(await balanceOf(agent)).toMatchObject({ available: 5_000 })
})

it('A correction at the limit of one administrator is booked at once', async () => {
  const agent = await aVerifiedAgent()
  expect(await correct(admin, agent, 1_000, aKey())).toMatchObject({ status: 201 })
  expect(await correct(admin, agent, -1_000, aKey())).toMatchObject({ status: 201, body: { balance: 0 } })
})

describe('a correction of the greatest amount', () => {
  it('is refused where no balance could hold it, and those of many agents add up to a bounded sum', async () => {
    const [agent, other] = [await aVerifiedAgent(), await aVerifiedAgent()]
    const largest = (of: GivenUser) =>
      correct(admin, of, 10 ** 15, aKey(), { currency: 'CHF', note: 'An opening balance' })
    for (let booked = 0; booked < 9; booked += 1) expect((await largest(agent)).status).toBe(201)
    expect(await largest(agent)).toMatchObject({ status: 400, body: { errors: [{ path: 'amount' }] } })
    expect((await largest(other)).status).toBe(201)
    const { status, body } = await call(listLedgerBalances, { token: admin })
    expect({ status, francs: body.items.filter(({ currency }) => currency === 'CHF') }).toMatchObject({
      status: 200,
      francs: [
        { account: 'agents', balance: -Number.MAX_SAFE_INTEGER },
        { account: 'platform', balance: Number.MAX_SAFE_INTEGER },
      ],
    })
  })
})
