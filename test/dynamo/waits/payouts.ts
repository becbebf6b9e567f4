import { spec as closeLedger } from '#functions/jobs/close-ledger'
import { steppedUp } from '#test/support/factors'
import { aVerifiedAgent, consoleToken } from '#test/support/given'
import { runJob } from '#test/support/jobs'
import { aPaidAgent, aPayingProvider, BANK, SETTINGS } from '#test/support/payouts'
import type { Visit } from './visit.ts'

/** Visits what agents are owed, and how administrators pay them. */
export async function visitPayouts(visit: Visit): Promise<void> {
  const { providers } = aPayingProvider()
  const deps = { payoutSettings: SETTINGS, providers }
  const admin = { token: await consoleToken(), deps }
  const agent = await aVerifiedAgent()
  const own = { token: agent.token, deps }
  await visit('PUT /auth/profile/payout-account', { token: await steppedUp(agent), body: BANK, deps })
  await visit('GET /auth/profile/payout-account', own)
  await visit('POST /admin/ledger/corrections', {
    ...admin,
    body: { agentId: agent.id, currency: 'EUR', amount: 5_000, note: 'Opening balance' },
  })
  const from = new Date().toISOString().slice(0, 10)
  await visit('GET /admin/ledger', { ...admin, query: { account: `agent:${agent.id}`, from } })
  await runJob(closeLedger)
  await visit('GET /admin/ledger/balances', admin)
  await visit('GET /auth/profile/statement', { ...own, query: { currency: 'EUR' } })
  await visit('GET /auth/profile/balance', own)
  const make = async (amount: number, approvalLimits = {}): Promise<string> => {
    const { id }: { id: string } = await visit('POST /admin/payouts', {
      token: admin.token,
      body: { agentId: agent.id, currency: 'EUR', method: 'by_hand', amount },
      deps: { payoutSettings: { ...SETTINGS, approvalLimits } },
    })
    return id
  }
  const [settled, failed, cancelled] = [await make(100), await make(100), await make(100)]
  const awaiting = await make(100, { EUR: 1 })
  await visit('GET /admin/payouts', admin)
  await visit('GET /admin/payouts/{id}', { ...admin, params: { id: settled } })
  await visit('GET /admin/payouts/{id}/account', { ...admin, params: { id: settled } })
  const second = await consoleToken({ sub: 'second' })
  await visit('POST /admin/payouts/{id}/approve', { ...admin, token: second, params: { id: awaiting } })
  const paid = { reference: 'Transfer 7', paidAt: new Date().toISOString() }
  await visit('POST /admin/payouts/{id}/settle', { ...admin, params: { id: settled }, body: paid })
  await visit('POST /admin/payouts/{id}/fail', {
    ...admin,
    params: { id: failed },
    body: { note: 'Refused' },
  })
  await visit('POST /admin/payouts/{id}/cancel', { ...admin, params: { id: cancelled } })
  await aPaidAgent(500)
  await visit('POST /admin/payouts/run', { ...admin, body: { currency: 'EUR', minimum: 100 } })
}
