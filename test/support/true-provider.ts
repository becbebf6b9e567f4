import fc from 'fast-check'
import { type Clock, secondsAfter, timestamp } from '#lib/kernel/clock'
import { DomainError } from '#lib/kernel/domain-error'
import { newId, type PaymentId, RefundId } from '#lib/kernel/id'
import type { StatementOf } from '#lib/payments/fact'
import type {
  PaymentProvider,
  PaymentReading,
  ProviderEvent,
  StartedRefund,
} from '#lib/payments/provider/provider'

/** How a provider speaks of what it holds. */
export type Style = {
  /** Whether its API can be read. */
  isReadable: boolean
  /** Whether it repeats our id of a refund in its API and callbacks. */
  notes: boolean
  /** Whether an answer to an order names the refund. */
  answersNames: boolean
}

export const AMOUNT = 1_000
const EUR = (amount: number) => ({ amount, currency: 'EUR' as const })

type Refund = {
  id: string
  order: RefundId | null
  key: string | null
  chargeId: string
  amount: number
  state: StartedRefund['state']
  at: Date
}
type Dispute = {
  id: string
  chargeId: string
  amount: number
  state: StatementOf<'dispute'>['state']
  at: Date
}

/** What happens next, and how the provider treats a request then. */
export const aStep = fc.record({
  what: fc.constantFrom(
    ...([
      'pay',
      'pay',
      'pay again',
      'order',
      'order',
      'order',
      'same key',
      'by hand',
      'end',
      'end',
      'bounce',
    ] as const),
    ...(['dispute', 'judge', 'call', 'call', 'call', 'look', 'look', 'resolve', 'forget', 'outage'] as const),
  ),
  amount: fc.constantFrom(100, 100, 400, 1_000),
  state: fc.constantFrom('pending', 'pending', 'succeeded', 'failed'),
  judged: fc.constantFrom('inquiry', 'open', 'won', 'lost'),
  /** `lost`: carried out, and the answer is lost. `down`: not carried out, and no answer. */
  heard: fc.constantFrom('answered', 'answered', 'answered', 'lost', 'down', 'refused'),
  /** How many of the newest changes the API does not show yet. */
  lag: fc.constantFrom(0, 0, 0, 1, 2),
  place: fc.nat(99),
  /** What an outage answers for hours: a refusal of everything, or that it is asked too often. */
  status: fc.constantFrom(400, 401, 404, 429, 503),
  seconds: fc.constantFrom(1, 90, 1_300, 30_000),
} as const)
export type Step = typeof aStep extends fc.Arbitrary<infer Value> ? Value : never

const UNAVAILABLE = () => new DomainError('provider_unavailable')

/** The error that an adapter makes of an answer which is none of those it knows. */
const answered = (status: number) =>
  new DomainError('provider_unavailable', {
    cause: Object.assign(new Error(`answered ${status}`), { status }),
  })

const OUTAGE_SECONDS = 6 * 60 * 60

/** A provider that holds the truth of one payment: it forgets keys, lags, is down, and loses answers and callbacks. */
export function trueProvider(style: Style, id: PaymentId, now: Clock) {
  const charges: { id: string; at: Date }[] = []
  const refunds: Refund[] = []
  const disputes: Dispute[] = []
  const calls: ProviderEvent[] = []
  const keys = new Map<string, Refund>()
  const treatment = { heard: 'answered' as Step['heard'], lag: 0, state: 'succeeded' as Refund['state'] }
  let outage: { until: Date; status: number } | undefined
  const refuseInOutage = () => {
    if (outage && now() < outage.until) throw answered(outage.status)
  }

  const chargeOf = (charge: (typeof charges)[number]): StatementOf<'succeeded'> => ({
    kind: 'succeeded',
    at: timestamp(charge.at),
    money: EUR(AMOUNT),
    chargeId: charge.id,
  })
  const refundOf = (refund: Refund): StatementOf<'refund'> => ({
    kind: 'refund',
    at: timestamp(refund.at),
    money: EUR(refund.amount),
    state: refund.state,
    providerRefundId: refund.id,
    refundId: style.notes ? refund.order : null,
    chargeId: refund.chargeId,
    reason: null,
  })
  const disputeOf = (dispute: Dispute): StatementOf<'dispute'> => ({
    kind: 'dispute',
    at: timestamp(dispute.at),
    disputeId: dispute.id,
    state: dispute.state,
    money: EUR(dispute.amount),
    chargeId: dispute.chargeId,
  })
  const tell = (statement: NonNullable<ProviderEvent['statement']>) =>
    calls.push({ eventId: `${id} ${calls.length}`, type: statement.kind, references: [id], statement })

  const leftOf = (chargeId: string) =>
    AMOUNT -
    refunds
      .filter((refund) => refund.chargeId === chargeId && refund.state !== 'failed')
      .reduce((sum, { amount }) => sum + amount, 0)
  const make = (
    order: RefundId | null,
    key: string | null,
    chargeId: string,
    amount: number,
  ): Refund | undefined => {
    if (leftOf(chargeId) < amount) return undefined
    const made: Refund = {
      id: `R${refunds.length} ${id}`,
      order,
      key,
      chargeId,
      amount,
      state: treatment.state,
      at: now(),
    }
    refunds.push(made)
    tell(refundOf(made))
    return made
  }

  const provider: Partial<PaymentProvider> = {
    startRefund: async ({ id: order, key, chargeId, amount }) => {
      refuseInOutage()
      if (treatment.heard === 'down') throw UNAVAILABLE()
      if (treatment.heard === 'refused') return { state: 'failed', providerRefundId: null }
      const made = keys.get(key) ?? make(order, key, chargeId ?? '', amount)
      if (made) keys.set(key, made)
      if (treatment.heard === 'lost') throw UNAVAILABLE()
      if (!made) return { state: 'failed', providerRefundId: null }
      return { state: made.state, providerRefundId: style.answersNames ? made.id : null }
    },
    ...(style.isReadable && {
      readPayment: async (): Promise<PaymentReading> => {
        refuseInOutage()
        if (treatment.heard === 'down') throw UNAVAILABLE()
        const seen = <Each>(all: readonly Each[]) => all.slice(0, Math.max(0, all.length - treatment.lag))
        return {
          references: [id],
          charges: charges.map(chargeOf),
          refunds: seen(refunds).map(refundOf),
          disputes: disputes.map((each) => ({ ...disputeOf(each), at: timestamp(now()) })),
        }
      },
    }),
  }
  return {
    charges,
    refunds,
    disputes,
    calls,
    treatment,
    provider,
    forget: () => keys.clear(),
    fail: (status: number) => {
      outage = { until: secondsAfter(now(), OUTAGE_SECONDS), status }
    },
    pay: (again: boolean) => {
      if (charges.length >= (again ? 2 : 1) || (again && charges.length === 0)) return
      const charge = { id: `C${charges.length} ${id}`, at: now() }
      charges.push(charge)
      tell(chargeOf(charge))
    },
    byHand: (chargeId: string, amount: number) => make(null, null, chargeId, amount),
    change: (refund: Refund, state: Refund['state']) => {
      refund.state = state
      tell(refundOf(refund))
    },
    dispute: (chargeId: string, amount: number) => {
      const dispute: Dispute = { id: `D${disputes.length} ${id}`, chargeId, amount, state: 'open', at: now() }
      disputes.push(dispute)
      tell(disputeOf(dispute))
    },
    judge: (dispute: Dispute, state: Dispute['state']) => {
      Object.assign(dispute, { state, at: secondsAfter(now(), 0) })
      tell(disputeOf(dispute))
    },
    newRefundId: () => RefundId.parse(newId('refund')),
  }
}
