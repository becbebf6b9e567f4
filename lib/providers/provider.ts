import type * as z from 'zod'
import type { Clock, Timestamp } from '#lib/kernel/clock'
import type { DomainError, FieldError } from '#lib/kernel/domain-error'
import type { RefundId } from '#lib/kernel/id'
import type { Currency } from '#lib/kernel/money'
import type { Statement } from '#lib/payments/state/fact'
import type { Payment } from '#lib/payments/state/payment'
import type { PaymentReading } from '#lib/payments/state/reading'
import type { AmountLimit } from './amount-limit.ts'
import type { PayoutClaim, ProviderPayouts } from './payout-port.ts'

/** A callback as it arrived. Believe the contents only after `verify`. */
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

/** One thing that a provider reports, translated into our words. */
export type ProviderEvent = {
  /** The provider's own id of the event; where it has none, its object, state and amounts. */
  eventId: string
  /** The provider's own name for what happened. */
  type: string
  /**
   * The ids in the event: our payment id, if the provider repeats it, and the provider's ids that name this payment
   * alone. Any one of them is enough to find the payment.
   */
  references: string[]
  /** Null for an event about no payment, and where `fault` says why it could not be understood. */
  statement: Statement | null
  /** The event's claim about a payout of ours; such an event has no statement. */
  payout?: PayoutClaim
  fault?: string
  /**
   * The faults of the body's fields, for a sender that builds our messages. The event is answered 400
   * `validation_failed`, kept as FAILED with `fault` as its detail, and replaced by the next event of its id.
   */
  errors?: readonly FieldError[]
}

/**
 * The evidence that a callback is authentic. `signed`: a signature covers it whole. `sender`: the provider sent it, but
 * its contents are not covered (a static token, some fields only). `unsigned`: this provider does not sign. In both of
 * these the provider's API is read before anything is done, and of `unsigned` only what the API confirms is kept.
 * `forged` is refused.
 */
export type Evidence = 'signed' | 'sender' | 'unsigned' | 'forged'

export type PaymentOrder = Pick<
  Payment,
  'id' | 'amount' | 'currency' | 'purpose' | 'phone' | 'expiresAt' | 'returnUrl'
> & {
  email: string
  /** The payer's name, for the card forms that ask for it; null where it was erased. */
  name: string | null
  /** The country of the listing, ISO 3166-1 alpha-2; null where the payment is for no listing. */
  country: string | null
}

/** The provider's part of a payment once it has started. */
export type StartedPayment = {
  /** The page to pay on; null where the payer is asked on the phone. */
  url: string | null
  /** The time at which the page closes automatically, by the provider's answer; null without one. */
  expiresAt: Timestamp | null
  /** The provider's ids of the payment, the principal one first; none where the provider names it only later. */
  references: string[]
  /**
   * The error of a lost answer, where every request asks the payer again and this one may have been carried out. The
   * payment then counts as started, so that the payer is not asked twice, and the caller receives the error.
   */
  unanswered?: DomainError
}

/** The provider's refusal of a payment: another request with the same data would be refused as well. */
export type RefusedPayment = {
  refused: {
    /** The provider's own code for why; null where it gives none. */
    providerCode: string | null
    message: string
  }
}

/** A payment as its provider knows it: `references` in the order learnt, the principal one first. */
export type KnownPayment = Pick<
  Payment,
  'id' | 'amount' | 'currency' | 'phone' | 'references' | 'checkout' | 'status' | 'createdAt' | 'expiresAt'
>

/** Which payment to read. */
export type PaymentQuestion = {
  /** The ids to read by: first the payment's known ids, ours included, then those of a callback. */
  references: readonly string[]
  /** Null when no payment of ours is known by these ids, so that only the provider can say whose they are. */
  payment: KnownPayment | null
  /** The key of every attempt at a refund of ours, where the provider finds refunds by their keys alone. */
  refundKeys?: readonly string[]
}

/** A refund that we want of a provider. */
export type RefundOrder = {
  /** Our id of the refund. It travels with the refund wherever the API has a field for it. */
  id: RefundId
  /** The provider's idempotency key: another one for each attempt. It begins with `id`. */
  key: string
  payment: KnownPayment
  /** The provider's id of the charge to give back; null where the provider names none. */
  chargeId: string | null
  amount: number
  currency: Currency
  reason: string | null
}

export type StartedRefund = {
  /** `failed` is a permanent refusal. */
  state: 'pending' | 'succeeded' | 'failed'
  /** The id by which callbacks and `readPayment` name the refund. Null where the provider has none, or made none. */
  providerRefundId: string | null
}

/**
 * One payment provider, ready for use with its configuration.
 *
 * A new one takes one file `lib/providers/adapters/<name>.ts` that exports `provider = defineProvider({ config, open })`, one line
 * in `registry.ts`, and one file of examples under `test/providers/adapters/examples/`. `config` is the schema of its
 * configuration, made of `kit/config.ts`. `open` returns what is below. Other code does not name the provider:
 * differences are declared here. The file converts amounts to the provider's units exactly, without floats. All
 * requests go through `tools.http`, the time is `tools.now()`.
 *
 * Reading and moving money are apart. `readPayment`, `verify` and `interpret` never move money, however often they are
 * called. `startRefund` and `capture` move money: `startRefund` is called at most once for each key, and after a lost
 * answer the outcome is read.
 */
export type PaymentProvider = {
  /** The currencies that this account takes; `any` where the provider decides. */
  currencies: readonly Currency[] | 'any'
  /** Where the account's merchants or payers are, ISO 3166-1 alpha-2; `any` where the provider decides. */
  countries: readonly string[] | 'any'
  /** The bounds of one payment, by currency. A currency without an entry has the service's own bounds. */
  limits?: Readonly<Partial<Record<Currency, AmountLimit>>>
  /** A `GET` is a ping: it is acknowledged and not read. */
  callbackMethods: readonly ('POST' | 'PUT' | 'GET')[]
  /** The headers that are stored with the raw body, because `interpret` reads them. */
  storedHeaders?: readonly string[]
  /** Whether an `unsigned` callback that the API does not confirm is refused, since signed ones are set up. */
  refusesUnconfirmed?: boolean
  /** The answer to a callback that was accepted. */
  acknowledgement: CallbackAnswer
  /** Whether it asks on the payer's phone: an order then always has one, and `checkout.url` is null. */
  asksOnPhone?: boolean
  /**
   * Whether the provider itself sent these bytes, by any live secret, within the provider's own tolerance of time.
   * Compares in constant time and never throws for any headers; a provider that verifies by a call of its own may throw
   * `provider_unavailable`. Before such a call it waits for `countQuestion`, which throws `unavailable` beyond 20 a
   * minute for the account: the provider then sends the callback again.
   */
  verify: (request: CallbackRequest, countQuestion?: () => Promise<void>) => Evidence | Promise<Evidence>
  /**
   * Interprets a callback. Never throws for an unknown body: a callback refused for its contents would only come again.
   * A callback with several items makes several events. A callback about a refund or a dispute may lack the provider's
   * id of it, or have an id that `readPayment` does not use. Its event has a null statement, and the payment is read.
   * An event whose contents the signature does not cover is a claim: it is applied only as far as `readPayment`
   * confirms it. An event without references is about no payment.
   */
  interpret: (request: CallbackRequest) => ProviderEvent[] | Promise<ProviderEvent[]>
  /**
   * Returns the fault of an amount in this provider's units (a part of a unit, a step); undefined for a valid amount.
   * Bounds belong into `limits`.
   */
  refuses?: (order: Pick<PaymentOrder, 'amount' | 'currency'>) => string | undefined
  /**
   * Asks the provider for money, under the payment's id, so that a repeated request has one effect. Without such a key
   * at the provider, a lost answer is reported as `unanswered`. Sends `order.expiresAt` where the API takes an expiry.
   * Answers `refused` for what the provider will not do however often it is asked (see `kit/api.ts`). Throws
   * `provider_unavailable` for everything else, refused credentials included.
   */
  start: (order: PaymentOrder) => Promise<StartedPayment | RefusedPayment>
  /**
   * Closes the page of a payment that has ended without success, so that it can no longer be paid. Called again until
   * it returns true. Answers false when the provider refuses, for instance since the page is being paid. Throws
   * `provider_unavailable`. Absent where the API cannot: the payment is then read for as long as the page may be open.
   */
  close?: (payment: KnownPayment) => Promise<boolean>
  /**
   * Reads how a payment stands, within 5 s for everything it takes; never changes anything. Null for a payment that the
   * provider does not know. Lists are read to their end. `at` of a charge or refund is the provider's time; of a
   * dispute the time of its latest change, else the present. Throws `provider_unavailable`. Absent where the provider
   * cannot be asked: then every callback names its charge, refund or dispute. Needed if `verify` returns
   * `sender` or `unsigned`.
   */
  readPayment?: (question: PaymentQuestion) => Promise<PaymentReading | null>
  /**
   * Takes money that the payer has approved, where that is a step of its own. Called when a reading says
   * `awaitsCapture` and the payment has not ended here; the payment is read again afterwards. Idempotent by the
   * provider's own key. Throws `provider_unavailable`.
   */
  capture?: (payment: KnownPayment) => Promise<void>
  /**
   * Makes a refund, under `order.key`. Called at most once for each key. A permanent refusal is `failed`. Throws
   * `provider_unavailable` for everything else; the payment is then read to learn what came of it. Absent where refunds
   * are made at the provider only.
   */
  startRefund?: (order: RefundOrder) => Promise<StartedRefund>
  /** Whether a charge can only be given back whole. A part is then refused before it is asked for. */
  refundsWholeOnly?: boolean
  /**
   * Whether `readPayment` finds refunds in a list that may lag. An unanswered refund, a 503 included, then counts as
   * not made only once the list was read twice, minutes apart.
   */
  listsRefundsLate?: boolean
  /** Present where the account pays agents out. */
  payouts?: ProviderPayouts
}

/** The dependencies that every provider receives in addition to its configuration. */
export type ProviderTools = {
  http: ProviderHttp
  now: Clock
  publicUrl: string
  /** Where the provider calls back: `publicUrl` and the callback's path. */
  callbackUrl: string
}

/** A request to a provider. `body` is sent as it is; its type is in the headers. */
export type ProviderRequest = {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  url: string
  headers?: Record<string, string>
  body?: string
  /** Whether sending it twice does no more than sending it once. A `GET` always is; others, where they carry a key. */
  repeatable?: boolean
  /** Statuses that are answers of this call and not failures. */
  answersWith?: readonly number[]
}

/**
 * Calls a provider, within 5 s in all and a bounded size. A `repeatable` call is tried once more after a broken
 * connection or a 5xx. Returns every answer with a status below 500, except 429, and those of `answersWith`. Throws
 * `provider_unavailable` for everything else.
 */
export type ProviderHttp = (request: ProviderRequest) => Promise<{ status: number; body: string }>

/**
 * A key that a configuration cannot do without; `one.other` is a key within a key. `startingWith`: one of the key's
 * values must begin with this text. `where`: the key is needed only if the value of another key includes this text.
 */
export type NeededKey = {
  key: string
  startingWith?: string
  where?: { key: string; includes: string }
}

/** The exports of a provider's file. `open` throws a `ZodError` for a wrong configuration. */
export type ProviderDefinition = {
  config: z.ZodObject
  /** Keys needed in addition to the keys of `config`. */
  needs?: readonly NeededKey[]
  /** The one stage at which it exists; by default every stage. */
  onlyAt?: string
  open: (config: unknown, tools: ProviderTools) => PaymentProvider
}

/** Defines a provider by the schema of its configuration and a function of the parsed configuration. */
export const defineProvider = <Schema extends z.ZodObject>(definition: {
  config: Schema
  needs?: readonly NeededKey[]
  onlyAt?: string
  open: (config: z.output<Schema>, tools: ProviderTools) => PaymentProvider
}): ProviderDefinition => ({
  ...definition,
  open: (config, tools) => definition.open(definition.config.parse(config), tools),
})
