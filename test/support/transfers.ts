import { paystackSignature } from '#lib/providers/adapters/paystack'
import { waveSignature } from '#lib/providers/adapters/wave'
import type { PayoutState } from '#lib/providers/payout-port'
import { PAYSTACK_KEY } from './providers.ts'
import type { StandInAnswer, StandInRequest } from './stand-in.ts'

type State = Exclude<PayoutState['state'], 'asked'>

/** A transfer at a provider that is played: what was asked of it, and how it stands. */
export type Transfer = { id: string; reference: string; request: StandInRequest; state: State }

/** A callback as a provider sends it. */
export type Sent = { rawBody: string; headers?: Record<string, string>; query?: Record<string, string> }

/** A provider that pays out, played by the shapes of its documents. */
export type PayingExample = {
  /** What its account needs to pay out, beside the keys of every account. */
  settings: object
  account: { country: string; currency: string } & Record<string, unknown>
  amount: number
  /** What a request for a transfer has to hold. */
  sends: (reference: string) => object
  /** Our reference in a request for a transfer; undefined in every other request. */
  referenceIn: (request: StandInRequest) => string | undefined
  accepted: (transfer: Transfer) => StandInAnswer
  refusal: StandInAnswer
  /** How it answers all other requests, about the transfer that was asked for, if any. */
  answer: (request: StandInRequest, transfer: Transfer | undefined) => StandInAnswer
  /** What it calls back about a transfer. */
  callback: (transfer: Transfer) => Sent
  /** The same by somebody else. */
  forged: (transfer: Transfer) => Sent
  /** Whether it signs, so that what somebody else sends is refused. */
  signs: boolean
  /** What it later answers to a question, where its answers are callbacks. */
  answerTo?: (request: StandInRequest, transfer: Transfer | undefined) => Sent | undefined
  /** Whether it tells money that came back from money that never left. */
  returns: boolean
}

const jsonIn = ({ body }: StandInRequest): Record<string, string> => (body ? JSON.parse(body) : {})

const bank = (country: string, currency: string, bankCode: string) => ({
  method: 'bank',
  country,
  currency,
  holder: 'Ada Example',
  accountNumber: '0690000031',
  bankCode,
})
const mobile = (country: string, currency: string, network: string, phone: string) => ({
  method: 'mobile_money',
  country,
  currency,
  holder: 'Awa Koné',
  network,
  phone,
})

const named = (names: Record<State, string>, { state }: Transfer): string => names[state]

const paystack: PayingExample = {
  settings: {},
  account: bank('NG', 'NGN', '058'),
  amount: 1_234_567,
  sends: (reference) => ({
    source: 'balance',
    amount: 1_234_567,
    currency: 'NGN',
    recipient: 'RCP_1',
    reference: reference.toLowerCase(),
  }),
  referenceIn: (request) => (request.path === '/transfer' ? jsonIn(request)['reference'] : undefined),
  accepted: (transfer) => ({ json: { status: true, data: paystackTransfer(transfer) } }),
  refusal: {
    status: 400,
    json: { status: false, message: 'Your balance is not enough', code: 'insufficient_balance' },
  },
  answer: ({ path }, transfer) => {
    if (path === '/transferrecipient') return { status: 201, json: { data: { recipient_code: 'RCP_1' } } }
    if (!transfer) return { status: 404, json: { status: false, message: 'Transfer not found' } }
    return { json: { status: true, data: paystackTransfer(transfer) } }
  },
  callback: (transfer) => signedByPaystack(transfer, PAYSTACK_KEY),
  forged: (transfer) => signedByPaystack(transfer, 'sk_live_of_another'),
  signs: true,
  returns: true,
}

const PAYSTACK_STATES = { pending: 'pending', paid: 'success', failed: 'failed', returned: 'reversed' }

const paystackTransfer = (transfer: Transfer) => ({
  amount: 1_234_567,
  currency: 'NGN',
  id: 451_930_323,
  reference: transfer.reference,
  status: named(PAYSTACK_STATES, transfer),
  transfer_code: transfer.id,
  failures: null,
})

function signedByPaystack(transfer: Transfer, key: string): Sent {
  const event = `transfer.${named(PAYSTACK_STATES, transfer)}`
  const rawBody = JSON.stringify({ event, data: paystackTransfer(transfer) })
  return { rawBody, headers: { 'x-paystack-signature': paystackSignature(key, Buffer.from(rawBody)) } }
}

const FLUTTERWAVE_STATES = { pending: 'PENDING', paid: 'SUCCESSFUL', failed: 'FAILED', returned: 'FAILED' }

const flutterwaveTransfer = (transfer: Transfer) => ({
  id: Number(transfer.id),
  reference: transfer.reference,
  amount: 250.5,
  currency: 'GHS',
  status: named(FLUTTERWAVE_STATES, transfer),
  complete_message: 'As the network said',
})

const flutterwave: PayingExample = {
  settings: {},
  account: mobile('GH', 'GHS', 'mtn', '+233551234987'),
  amount: 25_050,
  sends: (reference) => ({
    account_bank: 'MTN',
    account_number: '233551234987',
    amount: 250.5,
    currency: 'GHS',
    beneficiary_name: 'Awa Koné',
    reference,
  }),
  referenceIn: (request) => (request.method === 'POST' ? jsonIn(request)['reference'] : undefined),
  accepted: (transfer) => ({ json: { status: 'success', data: flutterwaveTransfer(transfer) } }),
  refusal: { status: 400, json: { status: 'error', message: 'Insufficient funds in customer wallet' } },
  answer: ({ path }, transfer) => {
    if (path.startsWith('/v3/transfers?')) {
      return { json: { status: 'success', data: transfer ? [flutterwaveTransfer(transfer)] : [] } }
    }
    return transfer && { json: { status: 'success', data: flutterwaveTransfer(transfer) } }
  },
  callback: (transfer) => ({
    rawBody: JSON.stringify({
      event: 'transfer.completed',
      'event.type': 'Transfer',
      data: flutterwaveTransfer(transfer),
    }),
    headers: { 'verif-hash': 'flw_secret' },
  }),
  forged: (transfer) => ({ ...flutterwave.callback(transfer), headers: { 'verif-hash': 'another' } }),
  signs: true,
  returns: false,
}

const MTN_STATES = { pending: 'PENDING', paid: 'SUCCESSFUL', failed: 'FAILED', returned: 'FAILED' }

const mtnTransfer = (transfer: Transfer) => ({
  externalId: transfer.reference,
  amount: '12550',
  currency: 'XAF',
  payee: { partyIdType: 'MSISDN', partyId: '237670000001' },
  status: named(MTN_STATES, transfer),
  ...(transfer.state === 'paid' && { financialTransactionId: transfer.id }),
  ...(transfer.state === 'failed' && { reason: 'PAYEE_NOT_FOUND' }),
})

const mtn: PayingExample = {
  settings: {},
  account: mobile('CM', 'XAF', 'mtn', '+237670000001'),
  amount: 12_550,
  sends: (reference) => ({
    amount: '12550',
    currency: 'XAF',
    externalId: reference,
    payee: { partyIdType: 'MSISDN', partyId: '237670000001' },
  }),
  referenceIn: (request) =>
    request.path === '/disbursement/v1_0/transfer' ? jsonIn(request)['externalId'] : undefined,
  accepted: () => ({ status: 202, text: '' }),
  refusal: { status: 500, json: { code: 'NOT_ENOUGH_FUNDS', message: 'Not enough funds' } },
  answer: ({ path }, transfer) => {
    if (path.endsWith('/token/')) return { json: { access_token: 't', expires_in: 3600 } }
    return transfer && { json: mtnTransfer(transfer) }
  },
  callback: (transfer) => ({ rawBody: JSON.stringify(mtnTransfer(transfer)) }),
  forged: (transfer) => ({ rawBody: JSON.stringify({ ...mtnTransfer(transfer), status: 'SUCCESSFUL' }) }),
  signs: false,
  returns: false,
}

const parametersOf = (address = ''): Record<string, string> =>
  Object.fromEntries(new URL(address).searchParams)

const b2cResult = ({ id, reference, state }: Transfer) =>
  JSON.stringify({
    Result: {
      ResultType: 0,
      ResultCode: state === 'paid' ? 0 : 2040,
      ResultDesc: 'As M-Pesa says',
      OriginatorConversationID: reference,
      ConversationID: 'AG_20261118_70106f1a2b3c4d5e6f70',
      TransactionID: id,
      ...(state === 'paid' && {
        ResultParameters: {
          ResultParameter: [
            { Key: 'TransactionAmount', Value: 1_255 },
            { Key: 'TransactionReceipt', Value: id },
            { Key: 'ReceiverPartyPublicName', Value: '254708374149 - John Doe' },
          ],
        },
      }),
    },
  })

const MPESA_STATES = { pending: 'Authorized', paid: 'Completed', failed: 'Declined', returned: 'Cancelled' }

const mpesa: PayingExample = {
  settings: { initiatorName: 'initiator', securityCredential: 'sealed' },
  account: mobile('KE', 'KES', 'mpesa', '+254708374149'),
  amount: 125_500,
  sends: (reference) => ({
    OriginatorConversationID: reference,
    InitiatorName: 'initiator',
    SecurityCredential: 'sealed',
    CommandID: 'BusinessPayment',
    Amount: 1_255,
    PartyA: '174379',
    PartyB: '254708374149',
  }),
  referenceIn: (request) =>
    request.path.endsWith('/paymentrequest') ? jsonIn(request)['OriginatorConversationID'] : undefined,
  accepted: () => ({ json: { ConversationID: 'AG_1', ResponseCode: '0', ResponseDescription: 'Accepted' } }),
  refusal: { status: 400, json: { errorCode: '400.002.02', errorMessage: 'Bad Request - Invalid PartyB' } },
  answer: ({ path }) =>
    path.startsWith('/oauth')
      ? { json: { access_token: 't', expires_in: '3599' } }
      : { json: { ResponseCode: '0', ResponseDescription: 'Accepted' } },
  callback: (transfer) => ({
    rawBody: b2cResult(transfer),
    query: parametersOf(jsonIn(transfer.request)['ResultURL']),
  }),
  forged: (transfer) => ({
    rawBody: b2cResult({ ...transfer, state: 'paid' }),
    query: { ...parametersOf(jsonIn(transfer.request)['ResultURL']), token: '0'.repeat(64) },
  }),
  signs: false,
  answerTo: (request, transfer) => {
    if (!request.path.endsWith('/transactionstatus/v1/query')) return undefined
    const parameters = transfer && [
      { Key: 'TransactionStatus', Value: named(MPESA_STATES, transfer) },
      { Key: 'ReceiptNo', Value: transfer.id },
    ]
    return {
      rawBody: JSON.stringify({
        Result: {
          ResultType: 0,
          ResultCode: transfer ? 0 : 2032,
          ResultDesc: 'As M-Pesa says',
          OriginatorConversationID: '3213-416199-2',
          ...(parameters && { ResultParameters: { ResultParameter: parameters } }),
        },
      }),
      query: parametersOf(jsonIn(request)['ResultURL']),
    }
  },
  returns: false,
}

const WAVE_STATES = { pending: 'processing', paid: 'succeeded', failed: 'failed', returned: 'reversed' }

const waveTransfer = (transfer: Transfer) => ({
  id: transfer.id,
  currency: 'XOF',
  receive_amount: '12550',
  fee: '126',
  mobile: '+2250700000000',
  status: named(WAVE_STATES, transfer),
  client_reference: transfer.reference,
  payout_error:
    transfer.state === 'failed'
      ? { error_code: 'recipient-limit-exceeded', error_message: 'The limit is reached' }
      : null,
})

function signedByWave(transfer: Transfer, secret: string): Sent {
  const id = `EV_${transfer.id}_${transfer.state}`
  const rawBody = JSON.stringify({ id, type: 'payout.updated', data: waveTransfer(transfer) })
  const sentAt = Math.floor(Date.now() / 1000)
  return { rawBody, headers: { 'wave-signature': waveSignature(secret, Buffer.from(rawBody), sentAt) } }
}

const wave: PayingExample = {
  settings: {},
  account: mobile('CI', 'XOF', 'wave', '+2250700000000'),
  amount: 12_550,
  sends: (reference) => ({
    currency: 'XOF',
    receive_amount: '12550',
    mobile: '+2250700000000',
    name: 'Awa Koné',
    client_reference: reference,
  }),
  referenceIn: (request) => (request.path === '/v1/payout' ? jsonIn(request)['client_reference'] : undefined),
  accepted: (transfer) => ({ json: waveTransfer(transfer) }),
  refusal: { status: 422, json: { code: 'insufficient-funds', message: 'The balance is too low' } },
  answer: ({ path }, transfer) => {
    if (path.startsWith('/v1/payouts/search')) {
      return { json: { result: transfer ? [waveTransfer(transfer)] : [] } }
    }
    return transfer && { json: waveTransfer(transfer) }
  },
  callback: (transfer) => signedByWave(transfer, 'wave_secret'),
  forged: (transfer) => signedByWave(transfer, 'another'),
  signs: true,
  returns: true,
}

/** The providers that pay out, by their names. */
export const PAYING: Record<string, PayingExample> = { flutterwave, mpesa, 'mtn-momo': mtn, paystack, wave }
