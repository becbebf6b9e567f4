import * as z from 'zod'
import { Timestamp } from '#lib/kernel/clock'
import { RefundId } from '#lib/kernel/id'
import { Money } from '#lib/kernel/money'
import { sha256 } from '#lib/kernel/signatures'

/** The provider's time; without one, the time of arrival. */
const at = Timestamp
/** Null where the provider names no amount in minor units of a currency we know: such money matches nothing. */
const money = Money.nullable()
const providerText = z.string().max(500)
const PROVIDER_ID_MAX = 255
const providerId = z.string().max(PROVIDER_ID_MAX)
/** The provider's id of a charge; absent or null where the provider names none. */
const chargeId = providerId.nullable().optional()
/** The provider's id of one try to pay; absent or null where the provider names none. */
const tryId = providerId.nullable().optional()
/** A thousand characters of one or two UTF-16 units each. */
const reason = z.string().max(2000).nullable()

/**
 * A statement about a payment, by its provider or by the service. A charge, a refund, a dispute and a fee have their
 * provider's id. The provider's own terms and units stay in the provider's file.
 */
export const Statement = z.discriminatedUnion('kind', [
  /** The payer has paid, and the money is on its way, for days with some methods. */
  z.object({ kind: z.literal('processing'), at, tryId }),
  /** A charge: money that came. `captureId` is the provider's id of the capture that brought it, where it names one. */
  z.object({
    kind: z.literal('succeeded'),
    at,
    money,
    chargeId,
    captureId: providerId.nullable().optional(),
  }),
  /**
   * The money of a charge that did not come after all: a capture failed, or the authorisation was cancelled. It undoes
   * each `succeeded` of the charge that has this `captureId` or none, even one that arrives later. Another capture of the
   * same charge brings the money again.
   */
  z.object({
    kind: z.literal('taken_back'),
    at,
    chargeId: providerId,
    captureId: providerId,
    code: providerText,
  }),
  z.object({
    kind: z.literal('failed'),
    at,
    /** Whether the payer may no longer try again on the same checkout. Only then is the payment FAILED. */
    final: z.boolean(),
    code: providerText,
    message: providerText,
    tryId,
  }),
  z.object({ kind: z.literal('cancelled'), at }),
  z.object({ kind: z.literal('expired'), at }),
  z.object({
    kind: z.literal('refund'),
    at,
    money,
    state: z.enum(['pending', 'succeeded', 'failed']),
    /** The provider's id of the refund; null only where it gives none, and then `refundId` names it. */
    providerRefundId: providerId.nullable(),
    /** Our id of the refund, where we began it and the provider repeats it; else null. */
    refundId: RefundId.nullable(),
    chargeId,
    reason,
  }),
  z.object({
    kind: z.literal('dispute'),
    /** The provider's own time: within a stage, the latest statement counts. */
    at,
    disputeId: providerId,
    /** How far the dispute has come, where its time is missing or unsigned: the highest stage counts, whatever `at` is. */
    stage: z.number().int().optional(),
    /** An `inquiry` takes no money. A chargeback that takes the money at once is `lost` from the beginning. */
    state: z.enum(['inquiry', 'open', 'won', 'lost']),
    /** The disputed sum; absent or null where the provider does not say: the whole charge. */
    money: money.optional(),
    chargeId,
    reason: reason.optional(),
    /** Until when we may answer; null where the provider names no time. */
    respondBy: Timestamp.nullable().optional(),
  }),
  /** The provider's own cost for this payment. The latest sum of a fee counts. */
  z.object({ kind: z.literal('fee'), at, feeId: providerId, money, chargeId }),
])
export type Statement = z.infer<typeof Statement>
export type StatementOf<Kind extends Statement['kind']> = Extract<Statement, { kind: Kind }>

/** An administrator's decision on the outcome of a refund. It overrules the facts known of the refund at that time. */
const Resolution = z.object({
  kind: z.literal('resolution'),
  at,
  refundId: RefundId,
  outcome: z.enum(['succeeded', 'failed']),
  /** The ids of those facts. A later statement of the provider outranks the resolution. */
  overrules: z.array(z.string()),
  note: z.string(),
})

/**
 * A statement that was accepted, under the id of the event that made it. A payment's state is a function of
 * the set of its facts: the same id twice is one fact, and their order says nothing.
 */
export const Fact = z.union([Statement, Resolution]).and(
  z.object({
    id: z.string().max(300),
    /** Whether an administrator accepted a charge of another sum than was asked for. */
    accepted: z.boolean().optional(),
  }),
)
export type Fact = z.infer<typeof Fact>
export type FactOf<Kind extends Fact['kind']> = Extract<Fact, { kind: Kind }>

/** Returns a statement without the words in it: the message of a failure, the reason of a refund or a dispute. */
export const withoutWords = <Stated extends Statement | Fact>(statement: Stated): Stated => ({
  ...statement,
  ...('message' in statement && { message: '' }),
  ...('reason' in statement && { reason: null }),
})

/** Whether a value is an id of a provider's that can be kept: at most 255 characters, without a lone surrogate. */
export function isProviderId(value: unknown): value is string {
  if (typeof value !== 'string' || value.length === 0) return false
  return value.length <= PROVIDER_ID_MAX && value.isWellFormed()
}

/** Returns an id that may hold a provider's words: as it is, or its hash where `isProviderId` refuses it. */
export const boundedId = (id: string): string => (isProviderId(id) ? id : sha256(id))

/** Returns the facts of one kind. */
export const factsOf = <Kind extends Fact['kind']>(facts: readonly Fact[], kind: Kind): FactOf<Kind>[] =>
  facts.filter((fact): fact is FactOf<Kind> => fact.kind === kind)

/**
 * Returns the latest of some facts by time, then the one of most `weight`, then by id: never by the order they came in.
 */
export const latest = <F extends Fact>(
  facts: readonly F[],
  weight: (fact: F) => number = () => 0,
): F | undefined =>
  facts
    .toSorted(
      (one, other) => compare(one.at, other.at) || weight(one) - weight(other) || compare(one.id, other.id),
    )
    .at(-1)

/** Compares two facts by their own times, for an order from the oldest. */
export const byTime = (one: Fact, other: Fact): number =>
  compare(one.at, other.at) || compare(one.id, other.id)

/** Compares two texts by code unit, independently of the locale. */
export const compare = (one: string, other: string): number => Number(one > other) - Number(one < other)

/** The most bytes of facts that a payment stores: its item holds 400 KB, and the rest of a payment takes some. */
const FACTS_MAX_BYTES = 300_000

/** Further bytes for our own facts: `cancelled`, `expired`, our refunds and their resolutions. */
const OWN_FACTS_BYTES = 10_000

/** More than the longest fact takes. */
const FACT_MAX_BYTES = 20_000

const bytesOf = (facts: Fact | readonly Fact[]): number => Buffer.byteLength(JSON.stringify(facts))

/** Whether facts leave no room for a further one of any length. */
export const areFull = (facts: readonly Fact[]): boolean => bytesOf(facts) > FACTS_MAX_BYTES - FACT_MAX_BYTES

/**
 * Returns those of the further facts for which there is room beside the stored ones. A payment has too many facts only if
 * its provider repeats itself in new words.
 */
export function factsThatFit(
  stored: readonly Fact[],
  further: readonly Fact[],
  { areOurs = false }: { areOurs?: boolean } = {},
): Fact[] {
  let left = FACTS_MAX_BYTES + (areOurs ? OWN_FACTS_BYTES : 0) - bytesOf(stored)
  return further.filter((fact) => {
    const bytes = bytesOf(fact)
    const fits = bytes <= left
    if (fits) left -= bytes
    return fits
  })
}
