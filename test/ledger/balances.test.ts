import { beforeAll, describe, expect, it } from 'vitest'
import { spec as closeLedger } from '#functions/jobs/close-ledger'
import { spec as correctLedger } from '#functions/ledger/correct-ledger'
import { spec as listLedgerBalances } from '#functions/ledger/list-ledger-balances'
import { call } from '#test/support/call'
import { aVerifiedAgent, consoleToken, type GivenUser } from '#test/support/given'
import { runJob } from '#test/support/jobs'
import { SETTINGS } from '#test/support/payouts'

const noonOf = (day: string) => new Date(`${day}T12:00:00.000Z`)
const at = (day: string) => ({ now: () => noonOf(day) })

/** A token of an administrator who signs in at noon. */
const administratorOf = (day: string) => {
  const seconds = noonOf(day).getTime() / 1000
  return consoleToken({ iat: seconds, exp: seconds + 600, auth_time: seconds })
}

async function corrected({ id: agentId }: GivenUser, amount: number, day: string): Promise<void> {
  const { status, text } = await call(correctLedger, {
    token: await administratorOf(day),
    body: { agentId, currency: 'EUR', amount, note: 'A transfer of October' },
    deps: { payoutSettings: SETTINGS, ...at(day) },
  })
  if (status !== 201) throw new Error(text)
}

const TODAY = '2026-11-10'

const asked = async (query: Record<string, string>) =>
  call(listLedgerBalances, { token: await administratorOf(TODAY), query, deps: at(TODAY) })
const balances = async (query: Record<string, string>) =>
  (await asked(query)).body.items.map(({ account, balance }) => [account, balance])

let agent: GivenUser

beforeAll(async () => {
  agent = await aVerifiedAgent()
  await corrected(agent, 700, '2026-11-03')
  await corrected(agent, -200, '2026-11-05')
})

describe('GET /admin/ledger/balances', () => {
  it('of one agent are what the platform owed at the end of the day, or owes now', async () => {
    const account = `agent:${agent.id}`
    const of = (query: Record<string, string> = {}) => balances({ account, ...query })
    expect(await of({ at: '2026-11-02' })).toEqual([])
    expect(await of({ at: '2026-11-03' })).toEqual([[account, -700]])
    expect(await of({ at: '2026-11-04' })).toEqual([[account, -700]])
    expect(await of({ at: TODAY })).toEqual([[account, -500]])
    expect(await of()).toEqual([[account, -500]])
    expect(await of({ account: 'agent:usr_01KAH3M6XQ8ZJ4T2V7W9C5RBND' })).toEqual([])
  })

  it('at the end of a day that has not begun are a 400', async () => {
    expect(await asked({ at: '2026-11-11' })).toMatchObject({
      status: 400,
      body: { errors: [{ path: 'at' }] },
    })
  })

  it('are the same once their days are closed, each day once, and of days before the last closed one', async () => {
    const owed = (amount: number) => [
      ['agents', -amount],
      ['platform', amount],
    ]
    const byDay = [
      ['2026-11-02', []],
      ['2026-11-03', owed(700)],
      ['2026-11-04', owed(700)],
      ['2026-11-05', owed(500)],
      ['2026-11-07', owed(500)],
    ] as const
    for (const [day, expected] of byDay) expect(await balances({ at: day }), day).toEqual(expected)
    expect(await runJob(closeLedger, at('2026-11-08'))).toEqual({ closed: 6 })
    expect(await runJob(closeLedger, at('2026-11-08'))).toEqual({ closed: 0 })
    for (const [day, expected] of byDay) expect(await balances({ at: day }), day).toEqual(expected)

    await corrected(agent, 40, '2026-11-07')
    expect(await runJob(closeLedger, at(TODAY))).toEqual({ closed: 2 })
    await corrected(agent, 2, TODAY)
    expect(await balances({ at: '2026-11-09' })).toEqual(owed(540))
    expect(await balances({ account: 'platform' })).toEqual([['platform', 542]])
  })

  it('are closed to the unit beyond what JSON carries', async () => {
    const [day, nextDay, monthEnd] = ['2026-11-20', '2026-11-21', '2026-11-30']
    const [first, second] = [await aVerifiedAgent(), await aVerifiedAgent()]
    for (let booked = 0; booked < 6; booked += 1) {
      await corrected(first, 10 ** 15, day)
      await corrected(second, 10 ** 15, day)
    }
    await corrected(first, 1, day)
    await runJob(closeLedger, at('2026-11-22'))
    for (let booked = 0; booked < 4; booked += 1) await corrected(second, -(10 ** 15), nextDay)
    await runJob(closeLedger, at(monthEnd))
    const platformAt = async (each: string) =>
      (
        await call(listLedgerBalances, {
          token: await administratorOf(monthEnd),
          query: { account: 'platform', at: each },
          deps: at(monthEnd),
        })
      ).body.items
    expect(await platformAt(day)).toMatchObject([{ balance: Number.MAX_SAFE_INTEGER }])
    expect(await platformAt(nextDay)).toMatchObject([{ balance: 8 * 10 ** 15 + 543 }])
  })
})
