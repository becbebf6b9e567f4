import * as z from 'zod'
import type { Timestamp } from '#lib/kernel/clock'
import { PayoutId } from '#lib/kernel/id'
import type { Currency } from '#lib/kernel/money'
import type { AmountLimit } from './amount-limit.ts'
import { MobileNetwork } from './mobile-networks.ts'

/** Where the money goes. It is stored encrypted, and only the provider that pays out receives it. */
export const PayoutTarget = z.discriminatedUnion('method', [
  z.object({
    method: z.literal('bank'),
    holder: z.string(),
    iban: z.string().nullable(),
    accountNumber: z.string().nullable(),
    bankCode: z.string().nullable(),
  }),
  z.object({
    method: z.literal('mobile_money'),
    holder: z.string(),
    phone: z.string(),
    network: MobileNetwork,
  }),
])
export type PayoutTarget = z.infer<typeof PayoutTarget>

/** Returns the number of a target: the IBAN, the account number or the telephone number. */
export const numberOf = (target: PayoutTarget): string =>
  target.method === 'bank' ? (target.iban ?? target.accountNumber ?? '') : target.phone

/** The facts that decide which provider can pay to an account. They contain no personal data. */
export type PayoutDestination = {
  method: PayoutTarget['method']
  /** The country of the account, ISO 3166-1 alpha-2. */
  country: string
  currency: Currency
  /** The network of mobile money. */
  network: MobileNetwork | null
  /** The bank's code next to an account number; null for an IBAN. */
  bankCode: string | null
}

/** Which payout is read. */
export type PayoutQuestion = {
  /** Our id of the payout, sent to the provider as an idempotency key or as our reference. */
  id: PayoutId
  /** In minor units. */
  amount: number
  currency: Currency
  /** The country of the account, ISO 3166-1 alpha-2. */
  country: string
  /** The provider's id of the payout, where one is known. */
  reference: string | null
  /** When the provider was first asked. */
  sentAt: Timestamp
}

/** A payout that a provider is asked to make. */
export type PayoutOrder = PayoutQuestion & { target: PayoutTarget }

/**
 * The state of a payout by its provider's statement. `returned`: the money came back, which is the last that happens to
 * a payout. `asked`: the provider answers the question with a callback.
 */
export const PayoutState = z.object({
  state: z.enum(['pending', 'paid', 'failed', 'returned', 'asked']),
  /** The provider's id of the payout; null where it names none. */
  reference: z.string().nullable(),
  failure: z.object({ code: z.string(), message: z.string() }).optional(),
})
export type PayoutState = z.infer<typeof PayoutState>

/**
 * A callback's claim about a payout of ours. Without a state it only points at the payout, which is then read.
 * `isAnswer`: the claim answers our question, so the state is the present one.
 */
export const PayoutClaim = z.object({
  id: PayoutId,
  state: PayoutState.nullable(),
  isAnswer: z.boolean().optional(),
})
export type PayoutClaim = z.infer<typeof PayoutClaim>

/** The part of a provider that pays out, present where its account is configured to. */
export type ProviderPayouts = {
  /** The currencies that it pays out in. A provider that names the currency goes before one of `any`. */
  currencies: readonly Currency[] | 'any'
  /** Whether it pays to such an account, in one of its currencies. */
  takes: (destination: PayoutDestination) => boolean
  /** The bounds of one payment, by currency, from the provider's documents. */
  limits?: Readonly<Partial<Record<Currency, AmountLimit>>>
  /** The smallest sum that the provider can count, in minor units: payouts are multiples of it. */
  smallestUnitOf: (currency: Currency) => number
  /**
   * Asks the provider to pay. Called at most once for each id: after a lost answer the outcome is read. `failed` is a
   * permanent refusal. Throws `provider_unavailable` for everything else.
   */
  start: (order: PayoutOrder) => Promise<PayoutState>
  /** Reads how a payout stands; never moves money. Null where it is unknown there. Throws `provider_unavailable`. */
  read: (question: PayoutQuestion) => Promise<PayoutState | null>
}
