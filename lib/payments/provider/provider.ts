import type * as z from 'zod'
import type { Clock, Timestamp } from '#lib/kernel/clock'
import type { DomainError } from '#lib/kernel/domain-error'
import type { RefundId } from '#lib/kernel/id'
import type { Currency } from '#lib/kernel/money'
import type { Statement } from '#lib/payments/fact'
import type { Payment } from '#lib/payments/payment'

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

/**
 * How far a callback may be believed: `true` in whole, since its signature covers it; `sender`, it comes from
 * the provider but its contents are not covered (a static token, some fields only); `nobody`, this provider does
 * not sign. In both of these the provider's API is asked before anything is done; from `nobody` only what it
 * confirms is kept. `false` is refused.
 */
export type Trust = boolean | 'sender' | 'nobody'

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
  /**
   * What became of a request that asks the payer every time it is sent, when no answer to it came although it may
   * have been heard: the payment has then started, lest the payer be asked twice, and the caller is told of this.
   */
  unanswered?: DomainError
}

/** A payment as its provider may be asked about it: `references` in the order learnt, the principal one first. */
export type KnownPayment = Pick<
  Payment,
  'id' | 'amount' | 'currency' | 'phone' | 'references' | 'checkout' | 'status' | 'createdAt'
>

/** What a provider is asked to tell of. */
export type Question = {
  /** The ids to ask by: what a callback named, then what is known of the payment, our own id among them. */
  references: readonly string[]
  /** Null when none of ours is known by these ids, so that only the provider can say whose they are. */
  payment: KnownPayment | null
  /** The event of a callback that is to be confirmed; null when we ask of our own accord. */
  claim: ProviderEvent | null
  /** Whether nothing may be set going by it, such as taking money that the payer has approved. */
  isDryRun?: boolean
}

/** A refund that we want of a provider. `id` is ours, and the provider's idempotency key. */
export type RefundOrder = {
  id: RefundId
  payment: KnownPayment
  amount: number
  currency: Currency
  reason: string | null
}

/** How a refund stands once the provider has been asked for it. */
export type StartedRefund = {
  state: 'pending' | 'succeeded' | 'failed'
  /** The id by which callbacks speak of it: then ours and theirs are one. Null where it has none. */
  providerRefundId: string | null
}

/**
 * One payment provider, ready for use with its configuration.
 *
 * How a new one is added: one file `providers/<name>.ts` that exports `provider = defineProvider({ config, open })`,
 * and one line in the registry of `providers.ts` with the keys it cannot do without. `config` is a zod object of
 * the contract's keys, made of `kit.secret`, `kit.secrets` and `kit.apiBase`. `open` gives what is below. Nothing
 * outside the file names the provider: where it differs, it says so here. Amounts cross the border in the
 * file's own exponents, by decimal text. All requests go through `tools.http`, the time is `tools.now()`.
 */
export type PaymentProvider = {
  /** The currencies it takes; `any` where that is not for us to say. */
  currencies: readonly Currency[] | 'any'
  /** Where its merchants or payers are, ISO 3166-1 alpha-2; `any` where that is not for us to say. */
  countries: readonly string[] | 'any'
  /** The methods of its callbacks. A `GET` is a ping: acknowledged without a look. */
  methods: readonly ('POST' | 'PUT' | 'GET')[]
  /** The headers, beside the signature's, that `translate` reads: kept with the raw body. */
  readsHeaders: readonly string[]
  /** The answer to a callback that was taken in. */
  acknowledgement: CallbackAnswer
  /** Whether it asks on the payer's phone: an order then always has one, and `checkout.url` is null. */
  asksOnPhone?: boolean
  /**
   * Whether the provider itself sent these bytes, by any live secret, within the provider's own tolerance of
   * time. Compares in constant time and throws nothing, whatever the headers hold; only one that verifies by
   * a call of its own may throw `provider_unavailable`.
   */
  verify: (request: CallbackRequest) => Trust | Promise<Trust>
  /**
   * Says in our words what a callback tells. Never throws for what it does not understand: a callback refused
   * for its contents would only come again. A callback with several items makes several events.
   *
   * Of a callback that is not believed in whole, an event with a statement is a claim: kept, and confirmed by
   * `ask` before it is applied. One with references and no statement only points at a payment: `ask` is called at
   * once and what it answers is kept in its place. One without references concerns no payment.
   */
  translate: (request: CallbackRequest) => ProviderEvent[] | Promise<ProviderEvent[]>
  /**
   * Whether it can ask for this very amount, whose units it may count otherwise. Undefined when it can, else
   * what is wrong with the amount.
   */
  refuses?: (order: Pick<PaymentOrder, 'amount' | 'currency'>) => string | undefined
  /**
   * Asks the provider for money, under the payment's id, so that asking twice is asking once; where it is not, what
   * may have been heard without an answer is told as `unanswered`. Throws `provider_unavailable`.
   */
  start: (order: PaymentOrder) => Promise<StartedPayment>
  /**
   * Asks the provider's API how a payment stands, within 5 s for everything it takes. Answers as `translate`
   * would: events whose `eventId` is made of object, state and amounts, so that the same answer twice is one
   * fact; `references` with our payment id where the provider repeats it; none for a payment it does not know,
   * and an event without a statement for one nobody has paid yet. Refunds and disputes are events of their own.
   * Throws `provider_unavailable`. Absent where the provider cannot be asked. Needed by whoever's `verify` says
   * `sender` or `nobody`.
   */
  ask?: (question: Question) => Promise<ProviderEvent[]>
  /**
   * Starts a refund under our refund id: asking twice within a day is refunding once. Where the provider has no
   * idempotency key, or forgets it sooner, look for ours first, by a note it carries. A refusal for good is `failed`;
   * throws `provider_unavailable` for everything that may yet succeed. Absent where refunds are made at the provider
   * only.
   */
  refund?: (order: RefundOrder) => Promise<StartedRefund>
  /**
   * Whether `refund` finds what it has made before, however long ago: it is then called again until the refund has
   * ended, to hear how it stands. Else it is not called again once the provider has answered, nor after a day.
   */
  findsRefunds?: boolean
  /** Withdraws the checkout of a payment that its payer has cancelled, where the API can. Throws as `start` does. */
  cancel?: (payment: KnownPayment) => Promise<void>
}

/** What every provider is given beside its configuration. */
export type ProviderTools = {
  http: ProviderHttp
  now: Clock
  publicUrl: string
  /** Where the provider calls back: `publicUrl` and the callback's path. */
  callbackUrl: string
}

/** A request to a provider. `body` is sent as it is; its type is in the headers. */
export type ProviderRequest = {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  url: string
  headers?: Record<string, string>
  body?: string
  /** Whether sending it twice does no more than sending it once. A `GET` always is; others, where they carry a key. */
  repeatable?: boolean
  /** Statuses that would else be a failure, and are how this one answers. */
  answersWith?: readonly number[]
}

/**
 * Calls a provider, within 5 s in all and a bounded size; what is `repeatable` is tried once more after a broken
 * connection, a 5xx or a 429. Any status below 500 but 429 comes back as an answer, its body as text, and so does one of
 * `answersWith`; everything else throws `provider_unavailable`.
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
