import { api, read } from '../api/client.ts'

const PAYOUTS_MAX = 50

/** Reads what an agent is owed by currency, as the books say it, and their newest payouts. */
export async function readAgentAccount(id: string) {
  const [balances, payouts] = await Promise.all([
    read(api.GET('/admin/ledger/balances', { params: { query: { account: `agent:${id}` } } })),
    read(api.GET('/admin/payouts', { params: { query: { agentId: id, limit: PAYOUTS_MAX } } })),
  ])
  return { balances: balances.items, payouts: payouts.items }
}
