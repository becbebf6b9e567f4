import { spec as correctLedger } from '#functions/ledger/correct-ledger'
import { spec as createPayout } from '#functions/payouts/create-payout'
import { spec as getBalance } from '#functions/payouts/get-balance'
import { spec as putPayoutAccount } from '#functions/payouts/put-payout-account'
import { spec as settlePayout } from '#functions/payouts/settle-payout'
import { DomainError } from '#lib/kernel/domain-error'
import type { PayoutId } from '#lib/kernel/id'
import type { PayoutView } from '#lib/payouts/payout'
import type { PayoutOrder, PayoutState, ProviderPayouts } from '#lib/providers/payout-port'
import type { PaymentProvider } from '#lib/providers/provider'
import type { Providers } from '#lib/providers/registry'
import { call } from './call.ts'
import { aVerifiedAgent, consoleToken, type GivenUser } from './given.ts'

export const SETTINGS = { delayDays: 0, accountHoldHours: 0, approvalLimits: {} }

export const BANK = {
  method: 'bank',
  country: 'FR',
  currency: 'EUR',
  holder: 'Awa Koné',
  iban: 'FR14 2004 1010 0505 0001 3M02 606',
}

/** Says where an agent is paid to. */
export const payTo = (agent: GivenUser, account: object = BANK, deps: Record<string, unknown> = {}) =>
  call(putPayoutAccount, { token: agent.token, body: account, deps: { payoutSettings: SETTINGS, ...deps } })

/** Corrects what an agent is owed, as an administrator. */
export const correct = async (agentId: string, amount: number, currency = 'EUR') =>
  call(correctLedger, {
    token: await consoleToken(),
    body: { agentId, currency, amount, note: 'Opening balance' },
    deps: { payoutSettings: SETTINGS },
  })

/** Pays an agent out by hand: all that is available in a currency. */
export async function paidOut(agent: GivenUser, currency = 'EUR'): Promise<void> {
  const token = await consoleToken()
  const payout = await call(createPayout, {
    token,
    body: { agentId: agent.id, currency, method: 'by_hand' },
    deps: { payoutSettings: SETTINGS },
  })
  if (payout.status !== 201) throw new Error(payout.text)
  const body = { reference: 'Transfer 7', paidAt: new Date().toISOString() }
  const { id }: PayoutView = payout.body
  const { status, text } = await call(settlePayout, { token, params: { id }, body })
  if (status !== 200) throw new Error(text)
}

/** An agent with a payout account and this much available, in cents. */
export async function aPaidAgent(amount: number): Promise<GivenUser> {
  const agent = await aVerifiedAgent()
  await payTo(agent)
  if (amount !== 0) await correct(agent.id, amount)
  return agent
}

/** What an agent is owed in euros. */
export async function balanceOf(agent: GivenUser) {
  const { body } = await call(getBalance, { token: agent.token, deps: { payoutSettings: SETTINGS } })
  const { items }: { items: { currency: string; pending: number; available: number; onItsWay: number }[] } =
    body
  return items.find(({ currency }) => currency === 'EUR')
}

/** How a provider answers payouts. `carriesOut: false` carries nothing out, `answers: false` loses every answer. */
type PayingProvider = {
  providers: Providers
  asked: PayoutOrder[]
  paid: Map<PayoutId, PayoutState>
  behaviour: { answers: boolean; carriesOut: boolean; isDown: boolean; state: PayoutState['state'] }
}

/** A provider that pays out, whose answers a test can lose. */
export function aPayingProvider(): PayingProvider {
  const paid = new Map<PayoutId, PayoutState>()
  const asked: PayoutOrder[] = []
  const behaviour: PayingProvider['behaviour'] = {
    answers: true,
    carriesOut: true,
    isDown: false,
    state: 'paid',
  }
  const payouts: ProviderPayouts = {
    currencies: ['EUR'],
    takes: ({ method }) => method === 'bank',
    smallestUnitOf: () => 5,
    start: async (order) => {
      asked.push(order)
      if (behaviour.carriesOut) paid.set(order.id, { state: behaviour.state, reference: `ref_${order.id}` })
      const state = paid.get(order.id)
      if (!behaviour.answers || !state) throw new DomainError('provider_unavailable')
      return state
    },
    read: async ({ id }) => {
      if (behaviour.isDown) throw new DomainError('unavailable')
      return paid.get(id) ?? null
    },
  }
  const provider = { payouts } as unknown as PaymentProvider
  const providers: Providers = {
    find: async (name) => (name === 'payer' ? provider : undefined),
    renewed: async () => undefined,
    all: async () => [{ name: 'payer', provider }],
  }
  return { providers, asked, paid, behaviour }
}
