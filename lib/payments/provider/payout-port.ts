import * as z from 'zod'
import type { Timestamp } from '#lib/kernel/clock'
import type { PayoutId } from '#lib/kernel/id'
import type { Currency } from '#lib/kernel/money'
import { MobileNetwork } from './mobile-networks.ts'

/** Where the money goes: stored encrypted, and given to the provider that pays out alone. */
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

/** A payout that a provider is asked to make. */
export type PayoutOrder = {
  /** Our id of the payout, and the provider's idempotency key. */
  id: PayoutId
  amount: number
  currency: Currency
  /** The country of the account, ISO 3166-1 alpha-2. */
  country: string
  target: PayoutTarget
  /** The provider's id of the payout, where one is known. */
  reference: string | null
  /** When the provider was first asked. */
  sentAt: Timestamp
}

/** How a payout stands, as its provider says. */
export type PayoutState = {
  state: 'pending' | 'paid' | 'failed'
  /** The provider's id of the payout; null where it names none. */
  reference: string | null
  failure?: { code: string; message: string }
}

/** The part of a provider that pays out, present where its account is configured to. */
export type ProviderPayouts = {
  currencies: readonly Currency[] | 'any'
  methods: readonly PayoutTarget['method'][]
  /** The smallest sum that the provider can count, in minor units: payouts are multiples of it. */
  stepOf: (currency: Currency) => number
  /**
   * Asks the provider to pay. Called at most once for each id: what became of a lost answer is read. `failed` is a refusal
   * for good. Throws `provider_unavailable` for everything else.
   */
  start: (order: PayoutOrder) => Promise<PayoutState>
  /** Reads how a payout stands; never moves money. Null where the provider knows none. Throws `provider_unavailable`. */
  read: (order: PayoutOrder) => Promise<PayoutState | null>
}
