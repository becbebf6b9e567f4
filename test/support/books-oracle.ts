import { expect } from 'vitest'
import type { PaymentId, PayoutId, UserId } from '#lib/kernel/id'
import type { Currency } from '#lib/kernel/money'
import type { Payout } from '#lib/payouts/payout'

/** What a payer paid, and what became of it. */
export type PaidTruth = {
  id: PaymentId
  agentId: UserId
  currency: Currency
  amount: number
  basisPoints: number
  refunds: { id: string; amount: number; isBounced: boolean }[]
  disputed: 'open' | 'won' | 'lost' | null
}

export type PayoutTruth = { id: PayoutId; agentId: UserId; currency: Currency }

type Books = {
  agentId: UserId
  balances: readonly { currency: string; pending: number; available: number; onItsWay: number }[]
  statements: readonly { currency: string; entries: readonly Record<string, unknown>[] }[]
  paid: readonly PaidTruth[]
  payouts: readonly { truth: PayoutTruth; payout: Payout | undefined }[]
  transfers: ReadonlyMap<PayoutId, { state: string; asks: number }>
  sums: readonly { account: string; currency: string; amount: number }[]
}

/** Half to even, as accountants round, without a float. */
function commissionOn(amount: number, basisPoints: number): number {
  const [product, whole] = [BigInt(amount) * BigInt(basisPoints), 10_000n]
  const [quotient, twice] = [product / whole, 2n * (product % whole)]
  const isUp = twice > whole || (twice === whole && quotient % 2n === 1n)
  return Number(isUp ? quotient + 1n : quotient)
}

/** What is left of a payment for its agent: the charge without what went back, and without the commission on the rest. */
function leftFor({ amount, basisPoints, refunds, disputed }: PaidTruth): number {
  const refunded = refunds.reduce((sum, each) => sum + (each.isBounced ? 0 : each.amount), 0)
  const taken = disputed === 'open' || disputed === 'lost' ? amount : refunded
  const commission = commissionOn(amount, basisPoints)
  const back = Number((BigInt(commission) * BigInt(taken)) / BigInt(amount))
  return amount - taken - (commission - back)
}

const GONE = ['AWAITING_APPROVAL', 'PENDING', 'PAID']

/**
 * Holds the books to what payers, refunds and transfers did, by rules of its own: nothing of the service's fold or ledger is
 * asked. Only how an administrator ended a payout by hand is taken from the payout.
 */
export function expectBooks({ agentId, balances, statements, paid, payouts, transfers, sums }: Books): void {
  for (const { currency, entries } of statements) {
    const isOwn = (each: { agentId: UserId; currency: string }) =>
      each.agentId === agentId && each.currency === currency
    const earned = paid.filter(isOwn).reduce((sum, each) => sum + leftFor(each), 0)
    const own = payouts.flatMap(({ truth, payout }) => (isOwn(truth) && payout ? [payout] : []))
    const gone = own.filter(({ status }) => GONE.includes(status))
    const balance = earned - gone.reduce((sum, { amount }) => sum + amount, 0)
    const shown = balances.find((each) => each.currency === currency)
    expect((shown?.pending ?? 0) + (shown?.available ?? 0)).toBe(balance)
    const onItsWay = gone.filter(({ status }) => status !== 'PAID')
    expect(shown?.onItsWay ?? 0).toBe(onItsWay.reduce((sum, { amount }) => sum + amount, 0))
    expect(entries.reduce((sum, entry) => sum + Number(entry['amount']), 0)).toBe(balance)
    const running = entries.map((_, place) =>
      entries.slice(0, place + 1).reduce((sum, entry) => sum + Number(entry['amount']), 0),
    )
    expect(entries.map((entry) => Number(entry['balance']))).toEqual(running)
    expectNothingLost(currency, sums)
  }
  for (const { payout } of payouts) expectTransfer(payout, payout && transfers.get(payout.id))
}

/** Every currency adds up to nothing. */
const expectNothingLost = (currency: string, sums: Books['sums']): void =>
  expect(sums.filter((each) => each.currency === currency).reduce((sum, { amount }) => sum + amount, 0)).toBe(
    0,
  )

/** A transfer was asked for once, and its payout ended as the transfer did; one that is not there waits for a person. */
function expectTransfer(
  payout: Payout | undefined,
  transfer: { state: string; asks: number } | undefined,
): void {
  if (payout?.method !== 'provider') return
  if (!transfer) {
    const isUnsent = payout.sentAt === null && ['PENDING', 'CANCELLED'].includes(payout.status)
    const isResolved = ['PAID', 'FAILED'].includes(payout.status)
    expect(isUnsent || isResolved || payout.misses > 0).toBe(true)
    return
  }
  expect(transfer.asks).toBe(1)
  if (transfer.state === 'paid' && payout.status === 'FAILED') {
    // Paid after it had failed: its money is back, and that somebody knows.
    expect(payout.paidAt).not.toBeNull()
    return
  }
  const ended = { paid: 'PAID', failed: 'FAILED', returned: 'FAILED', pending: 'PENDING' }
  expect(payout.status).toBe(ended[transfer.state as keyof typeof ended])
}
