import fc from 'fast-check'
import { type Clock, HOUR_SECONDS, secondsAfter, timestamp } from '#lib/kernel/clock'
import { DomainError } from '#lib/kernel/domain-error'
import { newId, type PaymentId, RefundId } from '#lib/kernel/id'
import type { StatementOf } from '#lib/payments/state/fact'
import type { PaymentReading } from '#lib/payments/state/reading'
import { REFUSED } from '#lib/providers/kit/api'
import type { Evidence, PaymentProvider, ProviderEvent, StartedRefund } from '#lib/providers/provider'
import { type Lists, pagedAs } from './paged-lists.ts'

/** How a provider speaks of what it holds. */
export type Style = {
  /** Whether its API can be read, and how its lists are paged. */
  lists: Lists | null
  /** How far its callbacks may be believed. */
  trust: Evidence
  /** Whether it repeats our id of a refund in its API and callbacks. */
  notes: boolean
  /** Whether an answer to an order names the refund. */
  answersNames: boolean
  /** Whether its page ends after a day and can be closed before. */
  closes: boolean
}

export const AMOUNT = 1_000
const WRONG_AMOUNT = 999
const FEE = 30
const EUR = (amount: number) => ({ amount, currency: 'EUR' as const })

/** Money that came. `captures` counts its captures: each failed one took the money back. */
type Charge = {
  id: string
  amount: number
  currency: 'EUR' | 'USD'
  at: Date
  captures: number
  isTakenBack: boolean
}
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
  /** Null where the provider does not say. */
  amount: number | null
  currency: 'EUR' | 'USD'
  state: StatementOf<'dispute'>['state']
  at: Date
}

/** What happens next, how the provider treats a request then, and when our own function dies in it. */
export const aStep = fc.record({
  what: fc.constantFrom(
    ...(['pay', 'pay', 'pay again', 'pay wrong', 'begin to pay', 'decline', 'give up'] as const),
    ...(['order', 'order', 'order', 'same key', 'by hand', 'end', 'end', 'bounce'] as const),
    ...(['dispute', 'judge', 'call', 'call', 'call', 'look', 'look', 'resolve'] as const),
    ...(['forget', 'outage', 'clutter', 'pay foreign', 'undo', 'capture', 'unknown charge'] as const),
    ...(['accept', 'dispute whole', 'dispute foreign', 'other account', 'lost weeks'] as const),
  ),
  amount: fc.constantFrom(100, 100, 400, 1_000),
  state: fc.constantFrom('pending', 'pending', 'succeeded', 'failed'),
  judged: fc.constantFrom('inquiry', 'open', 'won', 'lost'),
  /** `lost`: carried out, and the answer is lost. `down`: not carried out, and no answer. */
  heard: fc.constantFrom('answered', 'answered', 'answered', 'lost', 'down', 'refused'),
  /** How many of the newest charges and refunds the API does not show yet. */
  lag: fc.constantFrom(0, 0, 0, 1, 2),
  /** Which page of a list cannot be read, and before which one an item moves to the front; 0 for none. */
  breaksAt: fc.constantFrom(0, 0, 0, 0, 1, 2, 3),
  movesAt: fc.constantFrom(0, 0, 2, 3),
  place: fc.nat(99),
  /** What an outage answers for hours, and for how long it then asks to be left alone. */
  status: fc.constantFrom(400, 401, 404, 429, 503),
  retryAfterSeconds: fc.constantFrom(0, 100, 3_000),
  seconds: fc.constantFrom(1, 90, 1_300, 30_000),
  /** After how many writes the function dies; the number that most steps do not reach is for ever. */
  livesFor: fc.constantFrom(99, 99, 99, 99, 0, 1, 2, 3, 5),
} as const)
export type Step = typeof aStep extends fc.Arbitrary<infer Value> ? Value : never

/** How a provider treats requests now. */
type Treatment = Pick<Step, 'heard' | 'lag' | 'breaksAt' | 'movesAt'> & {
  state: Refund['state']
  /** Whether a caller of ours asks, and no job or callback: then the provider is asked whatever it wishes. */
  isOurs: boolean
}

const UNAVAILABLE = () => new DomainError('provider_unavailable')

/** The error that an adapter makes of an answer which is none of those it knows. */
const answered = (status: number, retryAfterSeconds: number) =>
  new DomainError('provider_unavailable', {
    cause: Object.assign(new Error(`answered ${status}`), { status }),
    ...(retryAfterSeconds > 0 && { retryAfterSeconds }),
  })

const OUTAGE_SECONDS = 6 * 60 * 60
const PAGE_SECONDS = 24 * 60 * 60
/** A charge that no provider has ever said succeeded. */
const UNKNOWN = 'C unknown'
/** More than a reader goes through. */
const CLUTTER = 60
const NOT_FOUND = 404
const REFUSALS = [400, NOT_FOUND]
const TOO_MANY = 429

/**
 * A provider that holds the truth of one payment: it forgets keys, lags, is down, pages its lists and loses answers and
 * callbacks. Disputes do not lag: what an answer says of one counts from when it was asked for.
 */
export function trueProvider(style: Style, id: PaymentId, clock: Clock, skewHours: number) {
  /** The provider's own time. */
  const now = () => secondsAfter(clock(), skewHours * HOUR_SECONDS)
  const charges: Charge[] = []
  const refunds: Refund[] = []
  const disputes: Dispute[] = []
  const calls: ProviderEvent[] = []
  const keys = new Map<string, Refund>()
  const wrongs: string[] = []
  const treatment: Treatment = {
    heard: 'answered',
    lag: 0,
    breaksAt: 0,
    movesAt: 0,
    state: 'succeeded',
    isOurs: false,
  }
  const page = { isOpen: true, endsAt: style.closes ? secondsAfter(clock(), PAGE_SECONDS) : null }
  const tries: { id: string; at: Date; isRefused: boolean }[] = []
  let outage: { until: Date; status: number; retryAfterSeconds: number } | undefined
  let leftAloneUntil: Date | undefined
  const outageNow = () => (outage && clock() < outage.until ? outage : undefined)

  const chargeOf = (charge: Charge): StatementOf<'succeeded'> => ({
    kind: 'succeeded',
    at: timestamp(charge.at),
    money: { amount: charge.amount, currency: charge.currency },
    chargeId: charge.id,
    ...(charge.captures > 0 && { captureId: `K${charge.captures} ${charge.id}` }),
  })
  const takenBackOf = (charge: Charge): StatementOf<'taken_back'> => ({
    kind: 'taken_back',
    at: timestamp(charge.at),
    chargeId: charge.id,
    captureId: `K${charge.captures} ${charge.id}`,
    code: 'capture_failed',
  })
  const currencyOf = (chargeId: string) => charges.find(({ id }) => id === chargeId)?.currency ?? 'EUR'
  const refundOf = (refund: Refund): StatementOf<'refund'> => ({
    kind: 'refund',
    at: timestamp(refund.at),
    money: { amount: refund.amount, currency: currencyOf(refund.chargeId) },
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
    money: dispute.amount === null ? null : { amount: dispute.amount, currency: dispute.currency },
    chargeId: dispute.chargeId,
  })
  const tell = (statement: NonNullable<ProviderEvent['statement']>) =>
    calls.push({ eventId: `${id} ${calls.length}`, type: statement.kind, references: [id], statement })

  const leftOf = (chargeId: string) =>
    (charges.find(({ id }) => id === chargeId)?.amount ?? 0) -
    refunds
      .filter((refund) => refund.chargeId === chargeId && refund.state !== 'failed')
      .reduce((sum, { amount }) => sum + amount, 0)
  const make = (made: Omit<Refund, 'id' | 'at'>): Refund | undefined => {
    if (leftOf(made.chargeId) < made.amount) return undefined
    const refund: Refund = { ...made, id: `R${refunds.length} ${id}`, at: now() }
    refunds.push(refund)
    tell(refundOf(refund))
    return refund
  }
  const charge = (amount: number, currency: Charge['currency'] = 'EUR') => {
    const made = {
      id: `C${charges.length} ${id}`,
      amount,
      currency,
      at: now(),
      captures: 0,
      isTakenBack: false,
    }
    charges.push(made)
    tell(chargeOf(made))
  }
  const tryNow = () => (charges.length === 0 ? tries.find(({ isRefused }) => !isRefused) : undefined)
  const isPayable = () => tryNow() || (page.isOpen && (page.endsAt === null || clock() < page.endsAt))
  const processing = (tryId: string, at: Date): StatementOf<'processing'> => ({
    kind: 'processing',
    at: timestamp(at),
    tryId,
  })
  const declined = (tryId: string | null, at: Date): StatementOf<'failed'> => ({
    kind: 'failed',
    at: timestamp(at),
    final: false,
    code: 'declined',
    message: 'No.',
    tryId,
  })

  /** Says what an outage answers to a question; whoever asks a provider that wants to be left alone does wrong. */
  const questioned = () => {
    if (!treatment.isOurs && leftAloneUntil && clock() < leftAloneUntil) {
      wrongs.push(`was asked at ${timestamp(clock())}, before ${timestamp(leftAloneUntil)}`)
    }
    const { status, retryAfterSeconds } = outageNow() ?? {}
    if (treatment.heard === 'down') throw UNAVAILABLE()
    if (status === undefined || status === NOT_FOUND) return status
    const asksFor = status === TOO_MANY ? (retryAfterSeconds ?? 0) : 0
    if (asksFor > 0 && !treatment.isOurs) leftAloneUntil = secondsAfter(clock(), asksFor)
    throw answered(status, asksFor)
  }

  /** Whether an order is refused for good; throws where it is not carried out, for whatever other reason. */
  const isRefused = () => {
    const { status } = outageNow() ?? {}
    if (status && !REFUSALS.includes(status)) throw answered(status, 0)
    if (treatment.heard === 'down') throw UNAVAILABLE()
    return status !== undefined || treatment.heard === 'refused'
  }

  const provider: Partial<PaymentProvider> = {
    verify: () => style.trust,
    startRefund: async ({ id: order, key, chargeId, amount }) => {
      if (isRefused()) return REFUSED
      const { state } = treatment
      const made = keys.get(key) ?? make({ order, key, chargeId: chargeId ?? '', amount, state })
      if (made) keys.set(key, made)
      if (treatment.heard === 'lost') throw UNAVAILABLE()
      if (!made) return REFUSED
      return { state: made.state, providerRefundId: style.answersNames ? made.id : null }
    },
    ...(style.closes && {
      close: async () => {
        if (outageNow() || treatment.heard === 'down') throw UNAVAILABLE()
        if (charges.length > 0 || tryNow()) return false
        page.isOpen = false
        if (treatment.heard === 'lost') throw UNAVAILABLE()
        return true
      },
    }),
    ...(style.lists && {
      readPayment: async (): Promise<PaymentReading | null> => {
        if (questioned() === NOT_FOUND) return null
        const listed = pagedAs(style.lists ?? 'by offset', treatment, UNAVAILABLE)
        const seen = <Each>(all: readonly Each[]) => all.slice(0, Math.max(0, all.length - treatment.lag))
        const taken = await listed(seen(charges))
        return {
          references: [id],
          charges:
            taken.length > 0
              ? taken.map((each) => (each.isTakenBack ? takenBackOf(each) : chargeOf(each)))
              : tries.map(({ id: tryId, at, isRefused }) => (isRefused ? declined : processing)(tryId, at)),
          refunds: (await listed(seen(refunds))).map(refundOf),
          disputes: (await listed(disputes)).map((each) => ({ ...disputeOf(each), at: timestamp(now()) })),
          fees: taken.map(({ id: chargeId, at, captures }) => ({
            kind: 'fee',
            at: timestamp(at),
            feeId: `F ${chargeId}`,
            money: EUR(FEE + captures),
            chargeId,
          })),
        }
      },
    }),
  }
  return {
    charges,
    refunds,
    disputes,
    calls,
    wrongs,
    treatment,
    provider,
    pageEndsAt: page.endsAt && timestamp(page.endsAt),
    forget: () => keys.clear(),
    /** Whether a list is longer than its reader goes through. */
    isCluttered: () => refunds.length >= CLUTTER,
    fail: ({ status, retryAfterSeconds }: Pick<Step, 'status' | 'retryAfterSeconds'>) => {
      outage = { until: secondsAfter(clock(), OUTAGE_SECONDS), status, retryAfterSeconds }
    },
    /** Our function died: what the provider has asked of it is not known to anybody. */
    forgetWish: () => {
      leftAloneUntil = undefined
    },
    pay: (again: boolean) => {
      if (charges.length >= (again ? 2 : 1) || (again && charges.length === 0)) return
      if (again || isPayable()) charge(AMOUNT)
    },
    payWrong: () => {
      if (charges.length < 2 && isPayable()) charge(WRONG_AMOUNT)
    },
    payForeign: () => {
      if (charges.length < 2 && isPayable()) charge(AMOUNT, 'USD')
    },
    /** The money of a charge does not come after all. */
    undo: (charge: Charge) => {
      if (charge.isTakenBack) return
      charge.captures = Math.max(1, charge.captures)
      charge.isTakenBack = true
      tell(takenBackOf(charge))
    },
    /** Another capture of the same charge brings the money again. */
    capture: (charge: Charge) => {
      if (!charge.isTakenBack) return
      charge.captures += 1
      charge.isTakenBack = false
      tell(chargeOf(charge))
    },
    /** A refund of a charge that nobody has heard of. */
    astray: (amount: number) => {
      if (refunds.some(({ chargeId }) => chargeId === UNKNOWN)) return
      const refund = {
        order: null,
        key: null,
        chargeId: UNKNOWN,
        amount,
        state: 'succeeded' as const,
        at: now(),
      }
      const made = { ...refund, id: `R${refunds.length} ${id}` }
      refunds.push(made)
      tell(refundOf(made))
    },
    begin: () => {
      if (charges.length > 0 || tryNow() || !isPayable()) return
      const made = { id: `T${tries.length} ${id}`, at: now(), isRefused: false }
      tries.push(made)
      tell(processing(made.id, made.at))
    },
    /** Refuses the try to pay that is under way, or a card on the page. */
    decline: () => {
      if (charges.length > 0 || !isPayable()) return
      const refused = tryNow()
      if (refused) refused.isRefused = true
      tell(declined(refused?.id ?? null, now()))
    },
    byHand: (chargeId: string, amount: number) =>
      make({ order: null, key: null, chargeId, amount, state: treatment.state }),
    /** Fills the list of refunds with failed ones that no callback announces. */
    clutter: (chargeId: string) => {
      for (let made = 0; made < CLUTTER; made += 1) {
        const refund = { order: null, key: null, chargeId, amount: 1, state: 'failed' as const, at: now() }
        refunds.push({ ...refund, id: `R${refunds.length} ${id}` })
      }
    },
    change: (refund: Refund, state: Refund['state']) => {
      refund.state = state
      tell(refundOf(refund))
    },
    dispute: (chargeId: string, amount: number | null, currency: 'EUR' | 'USD' = currencyOf(chargeId)) => {
      const known = { chargeId, amount, currency, state: 'open', at: now() } as const
      const dispute: Dispute = { ...known, id: `D${disputes.length} ${id}` }
      disputes.push(dispute)
      tell(disputeOf(dispute))
    },
    judge: (dispute: Dispute, state: Dispute['state']) => {
      Object.assign(dispute, { state, at: now() })
      tell(disputeOf(dispute))
    },
    /** Whether the payer has paid, and the money is on its way. */
    isUnderWay: () => tryNow() !== undefined,
    newRefundId: () => RefundId.parse(newId('refund')),
  }
}
