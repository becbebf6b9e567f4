import type * as z from 'zod'
import type { Clock, Timestamp } from '#lib/kernel/clock'
import type { Currency } from '#lib/kernel/money'
import type { Statement } from './fact.ts'
import type { Payment } from './payment.ts'

/** A callback as it arrived. Nothing in it may be believed before `verify` says so. */
export type CallbackRequest = {
  method: string
  rawBody: Buffer
  /** By lower-case name; one sent twice is a single value joined by commas. */
  headers: Record<string, string>
  /** As sent, not decoded. */
  rawQuery: string
}

/** The answer in the form that a provider expects. */
export type CallbackAnswer = { status: number; headers?: Record<string, string>; body: string }

/** One thing that a provider tells, in our words. */
export type ProviderEvent = {
  /** The provider's own id of the event; where it has none, its object, state and amounts. */
  eventId: string
  /** The provider's own name for what happened. */
  type: string
  /**
   * What the event says it is about: our payment id where the provider repeats it, and those ids of the
   * provider's that name this payment and no other. Any one of them is enough to find the payment.
   */
  references: string[]
  /** Null when the event is of no concern to us, or when `fault` says why it could not be understood. */
  statement: Statement | null
  fault?: string
}

/** What a provider needs to know to ask for money. */
export type PaymentOrder = Pick<Payment, 'id' | 'amount' | 'currency' | 'purpose' | 'phone' | 'returnUrl'> & {
  email: string
}

/** The provider's part of a payment once it has started. */
export type StartedPayment = {
  /** The page to pay on; null where the payer is asked on the phone. */
  url: string | null
  /** Null where the provider sets no time: the payment's own then stands. */
  expiresAt: Timestamp | null
  /** The provider's ids of it, the principal one first; none where the provider names it only later. */
  references: string[]
}

/** One payment provider, ready for use with its configuration. */
export type PaymentProvider = {
  /** The currencies it takes; `any` where that is not for us to say. */
  currencies: readonly Currency[] | 'any'
  /** The methods of its callbacks. */
  methods: readonly string[]
  /** The headers, beside the signature's, that `translate` reads: kept with the raw body. */
  readsHeaders: readonly string[]
  /** The answer to a callback that was taken in. */
  acknowledgement: CallbackAnswer
  /**
   * Whether the provider itself sent these bytes: true when any live secret says so, within the provider's
   * own tolerance of time. Compares in constant time and throws nothing, whatever the headers hold.
   */
  verify: (request: CallbackRequest) => boolean | Promise<boolean>
  /**
   * Says in our words what a verified callback tells. Never throws for what it does not understand: a
   * callback refused for its contents would only come again.
   */
  translate: (request: CallbackRequest) => ProviderEvent[] | Promise<ProviderEvent[]>
  /**
   * Whether it can ask for this very amount, whose units it may count otherwise. Undefined when it can, else
   * what is wrong with the amount.
   */
  refuses?: (order: Pick<PaymentOrder, 'amount' | 'currency'>) => string | undefined
  /**
   * Asks the provider for money, under the payment's id, so that asking twice is asking once.
   * Throws `provider_unavailable`.
   */
  start: (order: PaymentOrder) => Promise<StartedPayment>
}

/** What every provider is given beside its configuration. */
export type ProviderTools = { http: ProviderHttp; now: Clock; publicUrl: string }

/** A request to a provider. `body` is sent as it is; its type is in the headers. */
export type ProviderRequest = {
  method: 'GET' | 'POST'
  url: string
  headers?: Record<string, string>
  body?: string
}

/**
 * Calls a provider, within 5 s and a bounded size. Any status below 500 but 429 comes back as an answer, its
 * body as text; everything else throws `provider_unavailable`.
 */
export type ProviderHttp = (request: ProviderRequest) => Promise<{ status: number; body: string }>

/** What a provider's file exports: how it is opened with its configuration. Throws a `ZodError` on a wrong one. */
export type ProviderDefinition = { open: (config: unknown, tools: ProviderTools) => PaymentProvider }

/** Defines a provider by the schema of its configuration and what it is once that is parsed. */
export const defineProvider = <Schema extends z.ZodObject>(definition: {
  config: Schema
  open: (config: z.output<Schema>, tools: ProviderTools) => PaymentProvider
}): ProviderDefinition => ({
  open: (config, tools) => definition.open(definition.config.parse(config), tools),
})
