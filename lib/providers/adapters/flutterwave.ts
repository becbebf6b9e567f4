import * as z from 'zod'
import type { Timestamp } from '#lib/kernel/clock'
import { PaymentId } from '#lib/kernel/id'
import * as signatures from '#lib/kernel/signatures'
import type { StatementOf } from '#lib/payments/state/fact'
import type { PaymentReading } from '#lib/payments/state/reading'
import * as amounts from '../kit/amounts.ts'
import * as wire from '../kit/api.ts'
import * as settings from '../kit/config.ts'
import * as events from '../kit/events.ts'
import { NO_PAGE, readWholeList } from '../kit/lists.ts'
import * as transfers from '../kit/payouts.ts'
import * as statements from '../kit/statements.ts'
import type {
  PayoutDestination,
  PayoutOrder,
  PayoutQuestion,
  PayoutState,
  ProviderPayouts,
} from '../payout-port.ts'
import { defineProvider, type PaymentQuestion, type ProviderEvent, type ProviderHttp } from '../provider.ts'

const config = z.object({
  apiKey: settings.secret,
  webhookSecrets: settings.secrets,
  payouts: settings.payouts,
  apiBase: settings.apiBase('https://api.flutterwave.com'),
})

const text = z.string().nullish()

/** A transaction of version 3 (`tx_ref`) or version 4 (`reference`); numbers as their text. */
const Transaction = z.object({
  id: z.string().min(1).max(255),
  tx_ref: text,
  flw_ref: text,
  reference: text,
  amount: text,
  app_fee: text,
  currency: text,
  status: text,
  created_at: text,
  created_datetime: text,
  /** A text in version 3. */
  processor_response: z
    .union([z.string(), z.object({ type: text, code: text })])
    .nullish()
    .catch(null),
})
type Transaction = z.infer<typeof Transaction>

/** The list names a refund's transaction and note otherwise than the answer to the request does. */
const Refund = z.object({
  id: z.string().min(1).max(255),
  status: text,
  charge_id: text,
  tx_id: text,
  transaction_id: text,
  comment: text,
  comments: text,
  amount: text,
  amount_refunded: text,
  currency: text,
  created_at: text,
})
type Refund = z.infer<typeof Refund>

const Chargeback = z.object({
  id: z.string().min(1).max(255),
  status: text,
  transaction_id: text,
  amount: text,
  comment: text,
  due_date: text,
  created_at: text,
  meta: z
    .object({ history: z.array(z.object({ date: text })) })
    .nullish()
    .catch(null),
})
type Chargeback = z.infer<typeof Chargeback>

/** A refund or a chargeback in a callback, with the fields that name its transaction. */
const Pointer = z.object({
  id: z.string().min(1).max(255),
  status: text,
  tx_ref: text,
  flw_ref: text,
  reference: text,
  charge_id: text,
  tx_id: text,
  transaction_id: text,
})

const Transfer = z.object({
  id: z.string().min(1).max(255),
  reference: text,
  status: z.string(),
  complete_message: text,
})
type Transfer = z.infer<typeof Transfer>

const Callback = z.object({
  webhook_id: text,
  event: z.string().optional(),
  type: z.string().optional(),
  data: z.unknown(),
})

const Started = z.object({ data: z.object({ link: z.url() }) })
const Verified = z.object({ data: Transaction.nullish() })
const MadeRefund = z.object({ data: Refund })
const MadeTransfer = z.object({ data: Transfer })
const Transfers = z.object({ data: z.array(Transfer).nullish() })
const PageInfo = z.object({ page_info: z.object({ total_pages: text }).nullish() }).nullish()
const Reason = z.object({ code: text, message: text })

const isPaid = ({ status }: Transaction): boolean => status === 'successful' || status === 'succeeded'

/** In version 3 another try may follow under the same reference; a charge of version 4 is over. */
function statementOf(transaction: Transaction, at: Timestamp): PaymentReading['charges'][number] | null {
  const { id, status, amount, currency, processor_response: response, tx_ref } = transaction
  if (isPaid(transaction))
    return statements.chargeOf(at, { id, money: amounts.decimalMoneyOf(amount, currency) })
  if (status === 'pending') return statements.processingOf(at, id)
  if (status === 'voided') return { kind: 'cancelled', at }
  if (status !== 'failed') return null
  // Version 3 states a message alone. Version 4 states a type, which serves as the code, and a code, shown as the message.
  const [code, message] = typeof response === 'string' ? [null, response] : [response?.type, response?.code]
  return statements.failureOf(at, { final: tx_ref == null, code, message, tryId: id })
}

/** Only a paid transaction's ids are references: a refund that names no charge takes the first such id of its payment. */
const interpretTransaction = (transaction: Transaction, now: Date) => ({
  references: [
    transaction.tx_ref ?? transaction.reference,
    ...(isPaid(transaction) ? [transaction.id, transaction.flw_ref] : []),
  ],
  statement: statementOf(
    transaction,
    events.momentOf(transaction.created_at ?? transaction.created_datetime, now),
  ),
})

type OfCharge = Pick<Refund, 'charge_id' | 'transaction_id' | 'tx_id'>
const chargeIdOf = ({ charge_id, transaction_id, tx_id }: OfCharge) => charge_id ?? transaction_id ?? tx_id

const refundOf = (refund: Refund, currency: string | null | undefined, at: Timestamp) =>
  statements.refundOf(at, {
    id: refund.id,
    money: amounts.decimalMoneyOf(refund.amount_refunded ?? refund.amount, refund.currency ?? currency),
    state: refundState(refund.status),
    chargeId: chargeIdOf(refund),
    ours: refund.comment ?? refund.comments,
  })

/** Flutterwave docs, "Refunds": `completed` means that the request was accepted, `completed-momo` that it is over. */
const refundState = (status: string | null | undefined) => {
  if (status?.startsWith('completed-') || status === 'succeeded' || status === 'successful')
    return 'succeeded'
  return status === 'failed' ? 'failed' : 'pending'
}

const CHARGEBACK_STATES: Partial<Record<string, 'won' | 'lost'>> = {
  won: 'won',
  lost: 'lost',
  accepted: 'lost',
}

/** The money is withheld from the beginning. A dispute that we declined waits for the bank. */
function disputeOf(chargeback: Chargeback, { id, currency }: Transaction, now: Date) {
  const { created_at, meta, amount, comment, due_date } = chargeback
  return statements.disputeOf(events.momentOf(meta?.history.at(-1)?.date ?? created_at, now), {
    id: chargeback.id,
    state: events.entryOf(CHARGEBACK_STATES, chargeback.status) ?? 'open',
    money: amounts.decimalMoneyOf(amount, currency),
    chargeId: id,
    reason: comment,
    respondBy: due_date,
  })
}

/** Returns an event that only points at a payment: its refunds and chargebacks are read from their lists. */
const pointerEvent = (
  type: string,
  pointer: z.infer<typeof Pointer>,
  webhookId?: string | null,
): ProviderEvent => {
  const { id, status, tx_ref, flw_ref, reference } = pointer
  // The `reference` of a refund may be the refund's own.
  const ofPayment = type.startsWith(REFUND) ? [statements.exceptOwnRefund(reference)] : [tx_ref, flw_ref]
  return events.eventOf(
    { eventId: webhookId || [type, id, status].join(':'), type },
    { references: [...ofPayment, chargeIdOf(pointer)], statement: null },
  )
}

const CHARGE = 'charge.completed'
const REFUND = 'refund.'
const CHARGEBACK = 'chargeback.'
const TRANSFER = 'transfer.'

/** Version 3 gives its events no id, version 4 may. */
function interpret(rawBody: Buffer, now: Date): ProviderEvent {
  const callback = Callback.safeParse(events.jsonWithTextNumbers(rawBody))
  if (!callback.success) return events.unreadableEvent(rawBody, callback.error)
  const { webhook_id: webhookId, event, type = event ?? 'unknown', data } = callback.data
  if (type === CHARGE) {
    const transaction = Transaction.safeParse(data)
    if (!transaction.success) return events.unreadableEvent(rawBody, transaction.error)
    const { id, status, amount, currency } = transaction.data
    const eventId = webhookId || [type, id, status, amount, currency].join(':')
    return events.eventOf({ eventId, type }, interpretTransaction(transaction.data, now))
  }
  if (type.startsWith(TRANSFER)) {
    const transfer = Transfer.safeParse(data)
    if (!transfer.success) return events.unreadableEvent(rawBody, transfer.error)
    const { id, reference, status } = transfer.data
    const eventId = webhookId || [type, id, status].join(':')
    return transfers.payoutEventOf({ eventId, type }, transfers.ownPayoutId(reference))
  }
  if (!type.startsWith(REFUND) && !type.startsWith(CHARGEBACK))
    return events.eventOf({ eventId: webhookId || signatures.sha256(rawBody), type }, events.NO_PAYMENT)
  const pointer = Pointer.safeParse(data)
  return pointer.success
    ? pointerEvent(type, pointer.data, webhookId)
    : events.unreadableEvent(rawBody, pointer.error)
}

/** Returns the signature header of version 4 for a body. The header of version 3 is the secret itself. */
export const flutterwaveSignature = (secret: string, rawBody: Buffer): string =>
  signatures.hmac('sha256', secret, [rawBody], 'base64')

/** Whether a reference is the id of a transaction of version 3. */
const isTransactionId = (reference: string): boolean => /^\d+$/.test(reference)

const FIRST_PAGE = 1

/** Requests to version 3, which starts, reads and refunds payments. */
const apiOf = (http: ProviderHttp, apiBase: string, apiKey: string) => {
  const api = wire.jsonApi(http, `${apiBase}/v3`, { authorization: `Bearer ${apiKey}` })
  /** Reads all pages of a list; returns no items for the statuses that mean an empty list. */
  const list = <Item>(
    path: string,
    by: Record<string, string>,
    { schema, none }: { schema: z.ZodType<Item>; none: number[] },
  ): Promise<Item[]> => {
    const Listed = z.object({
      data: z.union([z.array(schema), schema.transform((one) => [one])]),
      meta: PageInfo,
    })
    return readWholeList(FIRST_PAGE, async (page) => {
      const answer = await api.get(`${path}?${new URLSearchParams({ ...by, page: String(page) })}`)
      if (none.includes(answer.status)) return NO_PAGE
      const { data, meta } = wire.readAnswerWithTextNumbers(Listed, answer)
      const isLast = page >= Number(meta?.page_info?.total_pages ?? 1)
      return { items: data, next: isLast ? undefined : page + 1 }
    })
  }
  return {
    ...api,
    /** Returns the transactions of some ids of the provider's and all under a reference of ours, each once. */
    transactions: async (ids: readonly string[], own: string | undefined): Promise<Transaction[]> => {
      const verify = async (path: string): Promise<Transaction[]> => {
        const answer = await api.get(path)
        const { data } = wire.isRefusal(answer) ? {} : wire.readAnswerWithTextNumbers(Verified, answer)
        return data ? [data] : []
      }
      const verifyOwn = (tx_ref: string) =>
        verify(`/transactions/verify_by_reference?${new URLSearchParams({ tx_ref })}`)
      const [listed, ...verified] = await Promise.all([
        own ? list('/transactions', { tx_ref: own }, { schema: Transaction, none: [400, 404] }) : [],
        ...ids.map((id) => verify(`/transactions/${id}/verify`)),
      ])
      // The list may lag behind the newest transaction.
      const newest = own && listed.length === 0 ? await verifyOwn(own) : []
      // Oldest first: of two charges the same one is always the first.
      const found = [...listed.toReversed(), ...newest, ...verified.flat()]
      return [...new Map(found.map((transaction) => [transaction.id, transaction])).values()]
    },
    /** The refunds of a transaction, among all of the account since it was made. */
    refunds: async ({ id, created_at }: Transaction): Promise<Refund[]> => {
      const from = created_at ? { from: created_at.slice(0, 'yyyy-mm-dd'.length) } : {}
      const found = await list('/refunds', from, { schema: Refund, none: [404] })
      return found.filter((refund) => chargeIdOf(refund) === id)
    },
    /** The chargebacks of a transaction; none for an account that may not list them. */
    chargebacks: async ({ id, flw_ref }: Transaction): Promise<Chargeback[]> => {
      if (!flw_ref) return []
      const found = await list('/chargebacks', { flw_ref }, { schema: Chargeback, none: [403, 404] })
      return found.filter(({ transaction_id }) => transaction_id === id)
    },
  }
}
type Api = ReturnType<typeof apiOf>

const PAYOUT_STATES: Partial<Record<string, PayoutState['state']>> = {
  SUCCESSFUL: 'paid',
  FAILED: 'failed',
}

const payoutState = ({ id, status, complete_message: message }: Transfer): PayoutState =>
  transfers.payoutState(events.entryOf(PAYOUT_STATES, status.toUpperCase()) ?? 'pending', id, { message })

/**
 * The networks of mobile money, in version 3 by country. Flutterwave docs, "Mobile Money Transfer". Transfers to Kenya
 * need the sender, which an account does not contain.
 */
const NETWORKS: transfers.NetworkCodes = {
  CI: { currency: 'XOF', codes: { moov: 'MOOV', mtn: 'MTN', orange: 'ORANGE', wave: 'WAVE' } },
  CM: { currency: 'XAF', codes: { mtn: 'MTN', orange: 'ORANGEMONEY' } },
  GH: { currency: 'GHS', codes: { mtn: 'MTN', tigo: 'AIRTELTIGO', vodafone: 'VODAFONE' } },
  RW: { currency: 'RWF', codes: { airtel: 'AIRTEL', mtn: 'MTN' } },
  SN: { currency: 'XOF', codes: { orange: 'ORANGEMONEY', wave: 'WAVE' } },
  TZ: { currency: 'TZS', codes: { airtel: 'AIRTEL', halotel: 'HALOPESA', mpesa: 'VODACOM', tigo: 'TIGO' } },
  UG: { currency: 'UGX', codes: { airtel: 'AIRTEL', mtn: 'MTN' } },
  ZM: { currency: 'ZMW', codes: { airtel: 'MPS', mtn: 'MPS', zamtel: 'MPS' } },
}

/** Only Nigeria's banks accept an account number and a bank's code alone. */
function takes(destination: PayoutDestination): boolean {
  const { method, country, currency, bankCode } = destination
  if (method === 'bank') return country === 'NG' && currency === 'NGN' && bankCode !== null
  return transfers.networkCodeOf(NETWORKS, destination) !== undefined
}

const accountOf = ({ target, country, currency }: PayoutOrder): object =>
  target.method === 'bank'
    ? { account_bank: target.bankCode, account_number: target.accountNumber }
    : {
        account_bank: transfers.networkCodeOf(NETWORKS, { country, currency, network: target.network }),
        account_number: transfers.digitsOf(target.phone),
      }

/** Transfers of version 3. */
function payoutsOf(api: Api): ProviderPayouts {
  const find = async ({ id, reference }: PayoutQuestion): Promise<Transfer | undefined> => {
    if (reference) {
      const one = wire.readFoundWithTextNumbers(
        MadeTransfer,
        await api.get(`/transfers/${encodeURIComponent(reference)}`),
      )
      return one?.data
    }
    const by = new URLSearchParams({ reference: id })
    const found = wire.readFoundWithTextNumbers(Transfers, await api.get(`/transfers?${by}`))
    return found?.data?.find((transfer) => transfer.reference === id)
  }
  return {
    currencies: PAYOUT_CURRENCIES,
    takes,
    smallestUnitOf: () => ONE_MINOR_UNIT,
    start: async (order) => {
      const request = {
        ...accountOf(order),
        amount: Number(amounts.decimalTextOf(order)),
        currency: order.currency,
        debit_currency: order.currency,
        beneficiary_name: order.target.holder,
        reference: order.id,
        narration: 'Payout',
      }
      const answer = await api.post('/transfers', request, undefined, wire.NO_RETRY)
      return (
        transfers.refusedPayout(answer, Reason) ??
        payoutState(wire.readAnswerWithTextNumbers(MadeTransfer, answer).data)
      )
    },
    read: async (question) => {
      const found = await find(question)
      return found ? payoutState(found) : null
    },
  }
}

const ONE_MINOR_UNIT = 1
const PAYOUT_CURRENCIES = amounts.currencies('GHS NGN RWF TZS UGX XAF XOF ZMW')

/** Reads every transaction that is known under our reference. A payer may pay a second time under the same one. */
async function read(
  api: Api,
  { references, payment }: PaymentQuestion,
  now: Date,
): Promise<PaymentReading | null> {
  const own = payment?.id ?? references.find((reference) => PaymentId.safeParse(reference).success)
  const found = await api.transactions(references.filter(isTransactionId), own)
  const ours = payment ? found.filter(({ tx_ref }) => tx_ref === payment.id) : found
  if (ours.length === 0) return null
  const paid = ours.filter(isPaid)
  // Once a transaction is paid, others that failed or wait say no more about the payment.
  const interpretation = (paid.length > 0 ? paid : ours).map((transaction) =>
    interpretTransaction(transaction, now),
  )
  const [refunds, disputes] = await Promise.all([
    Promise.all(paid.map((transaction) => refundsOf(api, transaction, now))),
    Promise.all(paid.map((transaction) => disputesOf(api, transaction, now))),
  ])
  return statements.readingOf({
    references: interpretation.flatMap((each) => each.references),
    charges: interpretation.flatMap(({ statement }) => statement ?? []),
    refunds: refunds.flat(),
    disputes: disputes.flat(),
    fees: paid.flatMap(({ id, app_fee, currency }) =>
      statements.feesOf(now, id, amounts.decimalMoneyOf(app_fee, currency)),
    ),
  })
}

const refundsOf = async (api: Api, transaction: Transaction, now: Date): Promise<StatementOf<'refund'>[]> =>
  (await api.refunds(transaction)).map((refund) =>
    refundOf(refund, transaction.currency, events.momentOf(refund.created_at, now)),
  )

const disputesOf = async (api: Api, transaction: Transaction, now: Date): Promise<StatementOf<'dispute'>[]> =>
  (await api.chargebacks(transaction)).map((chargeback) => disputeOf(chargeback, transaction, now))

const startedOf = ({ data }: z.infer<typeof Started>) => ({
  url: data.link,
  expiresAt: null,
  references: [],
})

/** Returns how long a page stays open. Flutterwave docs, "Flutterwave Standard": in minutes, at most a day. */
const minutesUntil = (end: Timestamp, now: Date): number =>
  Math.min(Math.max(Math.ceil((Date.parse(end) - now.getTime()) / 60_000), 1), 24 * 60)

/**
 * Flutterwave's hosted page. In version 4 callbacks carry `flutterwave-signature`, HMAC-SHA256 of the body: from
 * secondary sources, and older copies of its page show the bare secret there, so try it in the sandbox first. In
 * version 3 `verif-hash` is the secret itself, as documented: it vouches for the sender, and the transaction is read.
 * Payments are started, read and refunded with version 3. Starting, the length of a session, refunding, and the pages
 * of refunds and chargebacks are as documented. Two things are not documented: the names of callbacks of chargebacks
 * begin with `chargeback.`, and a listed chargeback's amount is in the charge's currency. There is no idempotency key:
 * `tx_ref` names a payment however many pages were made for it, and a refund, with our id as its note, is requested
 * once. A page cannot be closed. Transfers, their networks and states are as documented. A transfer carries our id as
 * its reference and is found by it; a callback only points at the transfer. That an amount may have decimals is not
 * documented. Flutterwave accepts transfers only from the IP addresses that its dashboard lists.
 */
export const provider = defineProvider({
  config,
  open: ({ apiKey, webhookSecrets, payouts, apiBase }, { http, now, publicUrl }) => {
    const api = apiOf(http, apiBase, apiKey)
    return {
      currencies: CURRENCIES,
      countries: ['CI', 'CM', 'EG', 'GH', 'KE', 'MW', 'NG', 'RW', 'SN', 'TZ', 'UG', 'ZA', 'ZM'],
      callbackMethods: ['POST'],
      acknowledgement: events.ACKNOWLEDGED,
      verify: ({ headers, rawBody }) => {
        const { 'flutterwave-signature': signature, 'verif-hash': hash } = headers
        const signed = (secret: string) => flutterwaveSignature(secret, rawBody)
        if (signatures.isMadeByAny(signature, webhookSecrets, signed)) return 'signed'
        return signatures.isMadeByAny(hash, webhookSecrets, (secret) => secret) ? 'sender' : 'forged'
      },
      interpret: ({ rawBody }) => [interpret(rawBody, now())],
      start: async (order) => {
        const answer = await api.post('/payments', {
          tx_ref: order.id,
          amount: amounts.decimalTextOf(order),
          currency: order.currency,
          redirect_url: order.returnUrl ?? publicUrl,
          customer: { email: order.email },
          meta: { payment_id: order.id },
          configurations: { session_duration: minutesUntil(order.expiresAt, now()) },
        })
        return wire.refusalOf(answer, Reason) ?? startedOf(wire.readAnswer(Started, answer))
      },
      ...(payouts && { payouts: payoutsOf(api) }),
      readPayment: (question) => read(api, question, now()),
      listsRefundsLate: true,
      startRefund: async ({ id, payment, chargeId, amount, currency }) => {
        const paid = chargeId ?? payment.references.find(isTransactionId)
        if (!paid) return wire.REFUSED
        const request = { amount: amounts.decimalTextOf({ amount, currency }), comments: id }
        const path = `/transactions/${encodeURIComponent(paid)}/refund`
        const answer = await api.post(path, request, undefined, wire.NO_RETRY)
        if (wire.isRefusal(answer)) return wire.REFUSED
        const { data } = wire.readAnswerWithTextNumbers(MadeRefund, answer)
        return { state: refundState(data.status), providerRefundId: data.id }
      },
    }
  },
})

/** From Flutterwave docs, "Supported currencies"; not all of them are documented for the page. */
const CURRENCIES = amounts.currencies('EGP EUR GBP GHS KES MWK NGN RWF TZS UGX USD XAF XOF ZAR ZMW')
