import type * as z from 'zod'
import { PayoutId } from '#lib/kernel/id'
import type { Currency } from '#lib/kernel/money'
import { boundedId } from '#lib/payments/state/fact'
import type { PayoutClaim, PayoutDestination, PayoutState } from '#lib/providers/payout-port'
import type { ProviderEvent } from '#lib/providers/provider'
import { type Answer, type Reason, refusalOf } from './api.ts'
import { clip, entryOf, eventOf, NO_PAYMENT, type Text } from './events.ts'

/** Returns our id of a payout, as a provider repeats it for a transfer; undefined for a transfer that is not ours. */
export const ownPayoutId = (repeated: Text): PayoutId | undefined => PayoutId.safeParse(repeated).data

/** Returns the state of a payout: the provider's id of it as `reference`, and why it failed or came back. */
export const payoutState = (
  state: PayoutState['state'],
  reference: Text,
  { code, message }: { code?: Text; message?: Text } = {},
): PayoutState => ({
  state,
  reference: reference ? boundedId(reference) : null,
  ...((state === 'failed' || state === 'returned') && {
    failure: {
      code: clip(code, state),
      message: clip(message, state === 'failed' ? 'The provider could not pay' : 'The money came back'),
    },
  }),
})

/** Returns the refusal in the answer to the start of a payout, as `refusalOf` does for a payment. */
export function refusedPayout(answer: Answer, reason: z.ZodType<Reason>): PayoutState | undefined {
  const { refused } = refusalOf(answer, reason, 'The provider refused the payout.') ?? {}
  return refused && payoutState('failed', null, { code: refused.providerCode, message: refused.message })
}

/**
 * Builds the event of a transfer; without an `id` it is about no payout of ours. Without a `claim` it only points at the
 * payout, which is then read.
 */
export const payoutEventOf = (
  identity: Pick<ProviderEvent, 'eventId' | 'type'>,
  id: PayoutId | undefined,
  claim: Omit<PayoutClaim, 'id'> = { state: null },
): ProviderEvent =>
  id === undefined
    ? eventOf(identity, NO_PAYMENT)
    : { ...eventOf(identity, { references: [id], statement: null }), payout: { id, ...claim } }

/** A provider's codes for the networks of mobile money, by the country of the account, each with the country's currency. */
export type NetworkCodes = Partial<
  Record<string, { currency: Currency; codes: Partial<Record<string, string>> }>
>

/** Returns a provider's code for the network of an account; undefined where it does not pay to that. */
export function networkCodeOf(
  networks: NetworkCodes,
  { country, currency, network }: Pick<PayoutDestination, 'country' | 'currency' | 'network'>,
): string | undefined {
  const market = entryOf(networks, country)
  return market?.currency === currency ? entryOf(market.codes, network) : undefined
}

/** Returns a telephone number in E.164 without its plus, as networks take it. */
export const digitsOf = (phone: string): string => phone.replace(/^\+/, '')
