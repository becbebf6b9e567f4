import { randomUUID } from 'node:crypto'
import { spec as createPayment } from '#functions/payments/create-payment'
import { spec as getPayment } from '#functions/payments/get-payment'
import type { Counters } from '#lib/accounts/throttle/counters'
import { timestamp } from '#lib/kernel/clock'
import { newId } from '#lib/kernel/id'
import type { PaymentView } from '#lib/payments/payment-view'
import type { PaymentProvider, PaymentQuestion, ProviderEvent } from '#lib/providers/provider'
import type { Providers } from '#lib/providers/registry'
import { call } from './call.ts'
import { deliver, fromGateway } from './callbacks.ts'
import type { GivenUser } from './given.ts'
import { testProviders } from './providers.ts'

const DRAFT = { provider: 'standard-webhooks', amount: 12_550, currency: 'EUR', purpose: 'deposit' }

/** Counters that stand at nothing, for tests that prompt one telephone many times. */
export const UNCOUNTED: Counters = {
  add: async () => ({ counted: [], pending: 0 }),
  settle: async () => undefined,
}

/** A payment that a user has just started. */
export async function aPayment(
  user: GivenUser,
  more: object = {},
  providers: Providers = testProviders(),
  deps: Record<string, unknown> = {},
): Promise<PaymentView> {
  const { status, body, text } = await call(createPayment, {
    token: user.token,
    body: { ...DRAFT, ...more },
    deps: { providers, phonePromptCounters: UNCOUNTED, ...deps },
  })
  if (status !== 201) throw new Error(text)
  return body
}

/** The payment as its payer sees it now. */
export const paymentOf = async (user: GivenUser, id: string): Promise<PaymentView> =>
  (await call(getPayment, { token: user.token, params: { id } })).body

/** Has a payment paid at the gateway of one's own. */
export async function paid({ id, amount, currency }: PaymentView): Promise<void> {
  const { status, text } = await deliver(
    fromGateway('payment.succeeded', { id: `txn_${id}`, reference: id, amount, currency }),
  )
  if (status !== 200) throw new Error(text)
}

/** A provider that a test plays: it believes everything unless told, and answers what the test says. */
export const played = (parts: Partial<PaymentProvider> = {}): Providers => {
  const provider: PaymentProvider = {
    currencies: 'any',
    countries: 'any',
    callbackMethods: ['POST'],
    acknowledgement: { status: 200, body: 'OK' },
    verify: () => 'signed',
    interpret: () => [],
    start: async ({ id }) => ({ url: 'https://pay.example/', expiresAt: null, references: [`at_${id}`] }),
    ...parts,
  }
  return {
    find: async (name) => (name === 'played' || name === 'other' ? provider : undefined),
    renewed: async () => undefined,
    all: async () => [{ name: 'played', provider }],
  }
}

/** How a played provider is read: it says what these events say, as if they were its API's. */
export const reads =
  (
    ask: (question: PaymentQuestion) => Promise<readonly ProviderEvent[]>,
  ): NonNullable<PaymentProvider['readPayment']> =>
  async (question) => {
    const events = await ask(question)
    const said = events.flatMap(({ statement }) => statement ?? [])
    if (events.length === 0) return null
    return {
      references: events.flatMap(({ references }) => references),
      charges: said.flatMap((each) =>
        each.kind === 'refund' || each.kind === 'dispute' || each.kind === 'fee' ? [] : [each],
      ),
      refunds: said.flatMap((each) => (each.kind === 'refund' ? [each] : [])),
      disputes: said.flatMap((each) => (each.kind === 'dispute' ? [each] : [])),
    }
  }

/** That a payment of a played provider was paid. */
export const success = (
  { id, amount, currency }: Pick<PaymentView, 'id' | 'amount' | 'currency'>,
  more: Partial<ProviderEvent> = {},
): ProviderEvent => ({
  eventId: `paid_${id}`,
  type: 'paid',
  references: [id],
  statement: {
    kind: 'succeeded',
    at: timestamp(new Date('2026-11-20T10:00:00.000Z')),
    money: { amount, currency },
  },
  ...more,
})

/** An id of a payment that nobody has started. */
export const unknownPayment = () => ({ id: newId('payment'), amount: 1, currency: 'EUR' as const })

/** A callback of a played provider. */
export const fromPlayed = () => ({
  provider: 'played',
  headers: {},
  rawBody: JSON.stringify({ n: randomUUID() }),
})
