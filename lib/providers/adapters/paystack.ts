import * as z from 'zod'
import { type Timestamp, timestamp } from '#lib/kernel/clock'
import { PaymentId } from '#lib/kernel/id'
import type { Currency } from '#lib/kernel/money'
import * as signatures from '#lib/kernel/signatures'
import type { StatementOf } from '#lib/payments/state/fact'
import type { PaymentReading } from '#lib/payments/state/reading'
import * as amounts from '../kit/amounts.ts'
import * as wire from '../kit/api.ts'
import * as settings from '../kit/config.ts'
import * as events from '../kit/events.ts'
import { pageAt, readWholeList } from '../kit/lists.ts'
import * as transfers from '../kit/payouts.ts'
import * as statements from '../kit/statements.ts'
import type { PayoutDestination, PayoutOrder, PayoutState, ProviderPayouts } from '../payout-port.ts'
import { defineProvider, type ProviderEvent, type ProviderHttp, type StartedRefund } from '../provider.ts'

const config = z.object({
  apiKey: settings.secret,
  /** Keys that were in use before: what they signed may still arrive. */
  webhookSecrets: z.array(settings.secret).default([]),
  payouts: settings.payouts,
  apiBase: settings.apiBase('https://api.paystack.co'),
})

/** Every number is read as its text: ids are longer than a float is exact, and amounts come in both forms. */
const Text = z.string().nullish()
const Amount = z
  .string()
  .regex(/^\d{1,16}$/)
  .nullish()

const Transaction = z.object({
  id: z.string().min(1),
  status: Text,
  reference: Text,
  amount: Amount,
  fees: Amount.catch(null),
  currency: Text,
  paid_at: Text,
  created_at: Text,
  gateway_response: Text,
  /** May also be a text, empty or 0. */
  metadata: z.object({ payment_id: z.string() }).nullish().catch(null),
})
type Transaction = z.infer<typeof Transaction>
const Refund = z.object({
  id: z.string().min(1),
  /** One answer contains the transaction's id, another the whole transaction. */
  transaction: z.union([z.string(), z.object({ id: z.string() }).transform(({ id }) => id)]).nullish(),
  status: Text,
  amount: Amount,
  currency: Text,
  merchant_note: Text,
  /** The dispute that the refund settles. */
  dispute: Text,
  createdAt: Text,
  /** The name in one of the two published samples of the list. */
  created_at: Text,
})
type Refund = z.infer<typeof Refund>
const Dispute = z.object({
  id: z.string().min(1),
  refund_amount: Amount,
  currency: Text,
  resolution: Text,
  category: Text,
  dueAt: Text,
  resolvedAt: Text,
  transaction: z.object({ id: Text, reference: Text, currency: Text }).nullish(),
})
type Dispute = z.infer<typeof Dispute>
/** A refund's callback: it names no id of the refund that the API knows. */
const RefundEvent = z.object({
  transaction_reference: Text,
  transaction: z.object({ reference: Text }).nullish(),
})

const Transfer = z.object({
  transfer_code: Text,
  reference: Text,
  status: z.string(),
  gateway_response: Text,
})
type Transfer = z.infer<typeof Transfer>

const Callback = z.object({ event: z.string(), data: z.unknown() })

const Started = z.object({ data: z.object({ authorization_url: z.url() }) })
const Verified = z.object({ data: Transaction })
const Refunded = z.object({ data: Refund })
const Refunds = z.object({ data: z.array(Refund) })
const Disputes = z.object({ data: z.array(Dispute) })
const Made = z.object({ data: Transfer })
const Recipient = z.object({ data: z.object({ recipient_code: z.string().min(1) }) })
const Reason = z.object({ code: Text, message: Text })

/** Every currency is counted in hundredths. That XOF and RWF are too is not documented. */
const exponentAt = (): number => 2
const unitsOf = (money: { amount: number; currency: Currency }) => amounts.unitsOf(money, exponentAt)
const moneyOf = (amount: string | null | undefined, currency: string | null | undefined) =>
  amounts.moneyOf(amount, currency, exponentAt)

/** Returns our id in the letters that Paystack documents for a reference: `-`, `.`, `=`, letters and digits. */
const inTheirLetters = (paymentId: string): string => paymentId.replace('_', '-')

/** Returns our payment id in a reference of Paystack's; another reference as it is. */
const ownOr = (reference: string | null | undefined) =>
  PaymentId.safeParse(reference?.replace('-', '_')).data ?? reference

/** Interprets a transaction. An abandoned or ongoing one may still be paid, and a failed one too, which is not documented. */
function chargeState(transaction: Transaction, now: Date): PaymentReading['charges'][number] | null {
  const { id, status, amount, currency, paid_at, gateway_response } = transaction
  const at = events.momentOf(paid_at, now)
  // A reversed transaction had been paid: its refunds and disputes say which sum is gone.
  if (status === 'success' || status === 'reversed')
    return statements.chargeOf(at, { id, money: moneyOf(amount, currency) })
  if (status === 'processing' || status === 'queued') return statements.processingOf(at, id)
  if (status !== 'failed') return null
  return statements.failureOf(at, { final: false, message: gateway_response, tryId: id })
}

const REFUND_STATES: Partial<Record<string, StartedRefund['state']>> = {
  processed: 'succeeded',
  failed: 'failed',
}

const refundState = ({ status }: Refund) => events.entryOf(REFUND_STATES, status) ?? 'pending'

const refundOf = (refund: Refund, chargeId: string, now: Date) =>
  statements.refundOf(events.momentOf(refund.createdAt ?? refund.created_at, now), {
    id: refund.id,
    money: moneyOf(refund.amount, refund.currency),
    state: refundState(refund),
    chargeId,
    ours: refund.merchant_note,
  })

const disputeState = ({ resolution }: Dispute): 'open' | 'won' | 'lost' => {
  if (resolution == null) return 'open'
  return resolution === 'declined' ? 'won' : 'lost'
}

/** A dispute has a time only once it is resolved, so `stage` orders its statements: a resolved one after an open one. */
function disputeOf(dispute: Dispute, now: Date): StatementOf<'dispute'> {
  const { id, refund_amount, currency, resolution, category, dueAt, resolvedAt, transaction } = dispute
  return {
    ...statements.disputeOf(events.momentOf(resolvedAt, now), {
      id,
      state: disputeState(dispute),
      money: moneyOf(refund_amount, currency ?? transaction?.currency),
      chargeId: transaction?.id,
      reason: category,
      respondBy: dueAt,
    }),
    stage: resolution == null ? 0 : 1,
  }
}

function interpretSubject(type: string, data: unknown, now: Date): events.Interpretation | { fault: string } {
  if (type === 'charge.success')
    return events.interpret(Transaction, data, (transaction) => ({
      references: [ownOr(transaction.reference) ?? transaction.metadata?.payment_id, transaction.id],
      // The event's type says that it succeeded, whatever the status says.
      statement: chargeState({ ...transaction, status: 'success' }, now),
    }))
  if (type.startsWith('charge.dispute.'))
    return events.interpret(Dispute, data, (dispute) => ({
      references: [ownOr(dispute.transaction?.reference), dispute.transaction?.id],
      statement: disputeOf(dispute, now),
    }))
  if (type.startsWith('refund.'))
    return events.interpret(RefundEvent, data, ({ transaction_reference, transaction }) => ({
      references: [ownOr(transaction_reference ?? transaction?.reference)],
      statement: null,
    }))
  return events.NO_PAYMENT
}

/** Interprets a transfer's callback. Each transfer has one event of each kind. */
function interpretTransfer(rawBody: Buffer, type: string, data: unknown): ProviderEvent {
  const transfer = Transfer.safeParse(data)
  if (!transfer.success) return events.unreadableEvent(rawBody, transfer.error)
  const { reference, status } = transfer.data
  const eventId = [type, reference, status].join(':')
  return transfers.payoutEventOf({ eventId, type }, ownPayoutIn(reference), {
    state: payoutState(transfer.data),
  })
}

/** Fields that identify an event: Paystack gives its events no id. */
const Identity = z.record(z.string(), z.unknown()).catch({})
const IDENTIFYING =
  'refund_reference id transaction_reference status resolution amount refund_amount currency'.split(' ')

function interpret(rawBody: Buffer, now: Date): ProviderEvent[] {
  const callback = Callback.safeParse(events.jsonWithTextNumbers(rawBody))
  if (!callback.success) return [events.unreadableEvent(rawBody, callback.error)]
  const { event: type, data } = callback.data
  if (type.startsWith('transfer.')) return [interpretTransfer(rawBody, type, data)]
  const fields = Identity.parse(data)
  const interpretation = interpretSubject(type, data, now)
  const eventId =
    interpretation === events.NO_PAYMENT
      ? signatures.sha256(rawBody)
      : [type, ...IDENTIFYING.map((name) => String(fields[name] ?? ''))].join(':')
  return [events.eventOf({ eventId, type }, interpretation)]
}

/** Returns our id in the letters that Paystack documents for a transfer's reference: lower case, digits, `-` and `_`. */
const inLowerCase = (payoutId: string): string => payoutId.toLowerCase()

const ownPayoutIn = (reference: string | null | undefined) =>
  transfers.ownPayoutId(reference?.toUpperCase().replace(/^OUT_/, 'out_'))

/** Paystack docs, "How Transfers Work": `otp`, `received` and `pending` are not conclusive. */
const PAYOUT_STATES: Partial<Record<string, PayoutState['state']>> = {
  success: 'paid',
  failed: 'failed',
  rejected: 'failed',
  blocked: 'failed',
  abandoned: 'failed',
  reversed: 'returned',
}

const payoutState = ({ transfer_code, status, gateway_response }: Transfer): PayoutState =>
  transfers.payoutState(events.entryOf(PAYOUT_STATES, status) ?? 'pending', transfer_code, {
    code: status,
    message: gateway_response,
  })

/** The kind of recipient that bank accounts in a country are. Paystack docs, "Creating Transfer Recipients". */
const BANKS: Partial<Record<string, [type: string, currency: Currency]>> = {
  GH: ['ghipss', 'GHS'],
  KE: ['kepss', 'KES'],
  NG: ['nuban', 'NGN'],
  ZA: ['basa', 'ZAR'],
}
/** The codes of mobile money: as Paystack lists them among the banks of a country. AirtelTigo is `ATL`. */
const NETWORKS: transfers.NetworkCodes = {
  GH: { currency: 'GHS', codes: { mtn: 'MTN', tigo: 'ATL', vodafone: 'VOD' } },
  KE: { currency: 'KES', codes: { mpesa: 'MPESA' } },
}

/** The country's code before a telephone number, which Paystack takes as it is dialled there. */
const CALLING_CODE = /^\+(233|254)/

function recipientOf({ target, country, currency }: PayoutOrder): object {
  const name = target.holder
  if (target.method === 'mobile_money') {
    const { network, phone } = target
    const bank_code = transfers.networkCodeOf(NETWORKS, { country, currency, network })
    return {
      type: 'mobile_money',
      name,
      account_number: phone.replace(CALLING_CODE, '0'),
      bank_code,
      currency,
    }
  }
  const [type] = events.entryOf(BANKS, country) ?? []
  return { type, name, account_number: target.accountNumber, bank_code: target.bankCode, currency }
}

function takes(destination: PayoutDestination): boolean {
  if (destination.method === 'mobile_money')
    return transfers.networkCodeOf(NETWORKS, destination) !== undefined
  const [, currency] = events.entryOf(BANKS, destination.country) ?? []
  return destination.bankCode !== null && currency === destination.currency
}

/** Paystack's transfers: a recipient is made of the account first, which moves nothing. */
const payoutsOf = (api: ReturnType<typeof wire.jsonApi>): ProviderPayouts => ({
  currencies: PAYOUT_CURRENCIES,
  takes,
  // One minor unit: a payout may be of any amount.
  smallestUnitOf: () => 1,
  start: async (order) => {
    const recipient = await api.post('/transferrecipient', recipientOf(order), undefined, wire.NO_RETRY)
    const refusedRecipient = transfers.refusedPayout(recipient, Reason)
    if (refusedRecipient) return refusedRecipient
    const request = {
      source: 'balance',
      amount: unitsOf(order),
      currency: order.currency,
      recipient: wire.readAnswer(Recipient, recipient).data.recipient_code,
      reference: inLowerCase(order.id),
      reason: 'Payout',
    }
    const answer = await api.post('/transfer', request, undefined, wire.NO_RETRY)
    return (
      transfers.refusedPayout(answer, Reason) ??
      payoutState(wire.readAnswerWithTextNumbers(Made, answer).data)
    )
  },
  read: async ({ id }) => {
    const answer = await api.get(`/transfer/verify/${inLowerCase(id)}`)
    // An unknown reference is a 404, or a 400 as with transactions.
    return wire.isRefusal(answer) ? null : payoutState(wire.readAnswerWithTextNumbers(Made, answer).data)
  },
})

const PAYOUT_CURRENCIES = amounts.currencies('GHS KES NGN ZAR')

/** Returns the header that Paystack sends with these bytes: the API key itself is the key. */
export const paystackSignature = (apiKey: string, rawBody: Buffer): string =>
  signatures.hmac('sha512', apiKey, [rawBody], 'hex')

const A_PAGE = 100
/** Pages are numbered from 1. */
const FIRST_PAGE = 1
const TO_NEXT_PAGE = 1

const apiOf = (http: ProviderHttp, apiBase: string, apiKey: string) => {
  const api = wire.jsonApi(http, apiBase, { authorization: `Bearer ${apiKey}` })
  /** Reads all pages of a list; none where the API knows no such list. */
  const list = <Item>(path: string, schema: z.ZodType<{ data: Item[] }>): Promise<Item[]> =>
    readWholeList(FIRST_PAGE, async (page) => {
      const answer = await api.get(`${path}&perPage=${A_PAGE}&page=${page}`)
      return pageAt(wire.readFoundWithTextNumbers(schema, answer)?.data ?? [], page, A_PAGE, TO_NEXT_PAGE)
    })
  return {
    ...api,
    transaction: async (references: readonly string[]): Promise<Transaction | undefined> => {
      const own = references.find((reference) => PaymentId.safeParse(reference).success)
      const name = own ? inTheirLetters(own) : references[0]
      if (!name) return undefined
      const answer = await api.get(`/transaction/verify/${encodeURIComponent(name)}`)
      // An unknown reference is a 400 or a 404.
      return wire.isRefusal(answer) ? undefined : wire.readAnswerWithTextNumbers(Verified, answer).data
    },
    /**
     * Returns the refunds of a transaction. Should the API ignore the filter, all refunds since its creation are
     * searched.
     */
    refunds: async ({ id, created_at, paid_at }: Transaction): Promise<Refund[]> => {
      const from = (created_at ?? paid_at)?.slice(0, 'yyyy-mm-dd'.length)
      const query = new URLSearchParams({ transaction: id, ...(from && { from }) })
      const found = await list(`/refund?${query}`, Refunds)
      // The transaction may be absent from a listed refund: then the filter decides.
      return found.filter(({ transaction }) => transaction == null || transaction === id)
    },
    disputes: async ({ id }: Transaction): Promise<Dispute[]> => {
      const found = await list(`/dispute?transaction=${encodeURIComponent(id)}`, Disputes)
      return found.filter(({ transaction }) => transaction?.id == null || transaction.id === id)
    },
  }
}
type Api = ReturnType<typeof apiOf>

/**
 * Returns the dispute that stands for an unexplained reversal, one without a listed refund or dispute. Its id is the charge's.
 * It is open, so that the payment needs an administrator. Once a refund or dispute explains the reversal, this dispute is
 * stated as won, which ends it. A payment that is not disputed here has none to end.
 */
function reversalOf(
  id: string,
  { isExplained, isDisputedHere }: { isExplained: boolean; isDisputedHere: boolean },
  at: Timestamp,
) {
  if (isExplained && !isDisputedHere) return []
  const reason = 'reversed without a refund or a dispute'
  return [statements.disputeOf(at, { id, state: isExplained ? 'won' : 'open', chargeId: id, reason })]
}

async function read(
  api: Api,
  transaction: Transaction,
  { isDisputedHere, now }: { isDisputedHere: boolean; now: Date },
): Promise<PaymentReading> {
  const { id, status, reference, metadata, fees, currency } = transaction
  const charge = chargeState(transaction, now)
  const references = [ownOr(reference) ?? metadata?.payment_id, id]
  const charges = charge ? [charge] : []
  if (charge?.kind !== 'succeeded') return statements.readingOf({ references, charges })
  const [refunds, disputes] = await Promise.all([api.refunds(transaction), api.disputes(transaction)])
  const known = { isExplained: refunds.length + disputes.length > 0, isDisputedHere }
  const reversal = status === 'reversed' ? reversalOf(id, known, timestamp(now)) : []
  return statements.readingOf({
    references,
    charges,
    // The settlement of a dispute is the dispute's money.
    refunds: refunds
      .filter((refund) => !disputes.some((dispute) => dispute.id === refund.dispute))
      .map((refund) => refundOf(refund, id, now)),
    disputes: [...disputes.map((dispute) => ({ ...disputeOf(dispute, now), chargeId: id })), ...reversal],
    fees: statements.feesOf(now, id, moneyOf(fees, currency)),
  })
}

/** Paystack's OpenAPI file names GHS, KES, NGN, USD and ZAR; the others are not documented there. */
const CURRENCIES = amounts.currencies('EGP GHS KES NGN RWF USD XOF ZAR')

/** From secondary sources that quote Paystack's table of currencies. */
const LIMITS = amounts.limitsOf({ GHS: ['0.1'], KES: ['3'], NGN: ['50'], USD: ['2'], ZAR: ['1'] })

const startedOf = ({ data }: z.infer<typeof Started>) => ({
  url: data.authorization_url,
  expiresAt: null,
  references: [],
})

/**
 * Paystack's hosted page. Callbacks carry `x-paystack-signature`, HMAC-SHA512 of the body, without a time, by the API
 * key: read in Paystack's own samples. Starting, verifying, refunds and disputes, with the pages of their lists, are as
 * in Paystack's OpenAPI file; how a dispute's `resolution` reads, what a refund's `dispute` means, and that refunds are
 * filtered by their transaction, is not documented. There is no idempotency header: the reference, our id with `-`
 * for `_`, is taken once, and a second start with it is refused. A refund carries our id as its note. Callbacks about
 * refunds name no id that the API knows, and only point at the transaction. A page has no end that we could set, and
 * cannot be closed. Transfers, their recipients, states and events are as documented: our id, in lower case, is the
 * reference, which is taken once. The account must not ask for a one-time password before transfers.
 */
export const provider = defineProvider({
  config,
  open: ({ apiKey, webhookSecrets, payouts, apiBase }, { http, now }) => {
    const api = apiOf(http, apiBase, apiKey)
    return {
      currencies: CURRENCIES,
      limits: LIMITS,
      countries: ['CI', 'EG', 'GH', 'KE', 'NG', 'RW', 'ZA'],
      callbackMethods: ['POST'],
      acknowledgement: events.ACKNOWLEDGED,
      verify: ({ headers, rawBody }) =>
        signatures.isMadeByAny(headers['x-paystack-signature'], [apiKey, ...webhookSecrets], (secret) =>
          paystackSignature(secret, rawBody),
        )
          ? 'signed'
          : 'forged',
      interpret: ({ rawBody }) => interpret(rawBody, now()),
      start: async ({ id, amount, currency, email, returnUrl }) => {
        const answer = await api.post('/transaction/initialize', {
          email,
          amount: unitsOf({ amount, currency }),
          currency,
          reference: inTheirLetters(id),
          ...(returnUrl && { callback_url: returnUrl }),
          metadata: { payment_id: id },
        })
        return wire.refusalOf(answer, Reason) ?? startedOf(wire.readAnswer(Started, answer))
      },
      ...(payouts && { payouts: payoutsOf(api) }),
      readPayment: async ({ references, payment }) => {
        const transaction = await api.transaction(references)
        const isDisputedHere = payment?.status === 'DISPUTED'
        return transaction ? read(api, transaction, { isDisputedHere, now: now() }) : null
      },
      listsRefundsLate: true,
      startRefund: async ({ id, payment, chargeId, amount, currency }) => {
        const transaction = chargeId ?? (await api.transaction([payment.id]))?.id
        if (!transaction) return wire.REFUSED
        const request = { transaction, amount: unitsOf({ amount, currency }), merchant_note: id }
        const answer = await api.post('/refund', request)
        if (wire.isRefusal(answer)) return wire.REFUSED
        const made = wire.readAnswerWithTextNumbers(Refunded, answer).data
        return { state: refundState(made), providerRefundId: made.id }
      },
    }
  },
})
