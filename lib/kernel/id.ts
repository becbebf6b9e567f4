import { randomBytes } from 'node:crypto'
import { decodeTime, encodeTime } from 'ulid'
import * as z from 'zod'
import { type Clock, systemClock } from './clock.ts'
import { sha256Bytes } from './signatures.ts'

/** Every kind of identifier there is, by its prefix. */
const PREFIXES = {
  user: 'usr',
  session: 'ses',
  listing: 'lst',
  media: 'med',
  payment: 'pay',
  refund: 'rfd',
  document: 'doc',
  callback: 'cbk',
  event: 'evt',
  notification: 'ntf',
  enquiry: 'enq',
  message: 'msg',
  paymentRequest: 'prq',
  savedSearch: 'sav',
  webhook: 'whk',
  delivery: 'dlv',
  action: 'act',
  passkey: 'psk',
  apiKey: 'key',
  /** A mail that was asked for, and the link in it. */
  mail: 'mai',
  /** The registration of an account: a mailed link proves one registration of its address and no other. */
  registration: 'reg',
  /** One request of an administrator for links to documents. */
  documentLinks: 'lnk',
  /** A ban, or its end. */
  statusDecision: 'std',
  export: 'exp',
  payout: 'out',
  /** A transaction of the ledger. */
  transaction: 'trx',
} as const

export type IdKind = keyof typeof PREFIXES

/** Returns the kind of an identifier by its shape; undefined for any other text. */
export function kindOfId(text: string): IdKind | undefined {
  const [, prefix] = /^([a-z]{3})_[0-9A-HJKMNP-TV-Z]{26}$/.exec(text) ?? []
  return (Object.keys(PREFIXES) as IdKind[]).find((kind) => PREFIXES[kind] === prefix)
}

const idOf = <Kind extends IdKind>(kind: Kind) =>
  z
    .string()
    .regex(new RegExp(`^${PREFIXES[kind]}_[0-9A-HJKMNP-TV-Z]{26}$`))
    .brand<Kind>()

export const UserId = idOf('user').meta({ id: 'UserId', example: 'usr_01KAH3M6XQ8ZJ4T2V7W9C5RBND' })
export const SessionId = idOf('session')
export const ListingId = idOf('listing').meta({ id: 'ListingId', example: 'lst_01KAH3M6XQ8ZJ4T2V7W9C5RBND' })
export const MediaId = idOf('media')
export const PaymentId = idOf('payment').meta({ id: 'PaymentId', example: 'pay_01KAH3M6XQ8ZJ4T2V7W9C5RBND' })
export const RefundId = idOf('refund')
export const DocumentId = idOf('document')
export const CallbackId = idOf('callback')
export const EventId = idOf('event')
export const NotificationId = idOf('notification')
export const EnquiryId = idOf('enquiry').meta({ id: 'EnquiryId', example: 'enq_01KAH3M6XQ8ZJ4T2V7W9C5RBND' })
export const MessageId = idOf('message')
export const PaymentRequestId = idOf('paymentRequest').meta({
  id: 'PaymentRequestId',
  example: 'prq_01KAH3M6XQ8ZJ4T2V7W9C5RBND',
})
export const SavedSearchId = idOf('savedSearch')
export const PayoutId = idOf('payout').meta({ id: 'PayoutId', example: 'out_01KAH3M6XQ8ZJ4T2V7W9C5RBND' })
export const TransactionId = idOf('transaction')
export const WebhookId = idOf('webhook')
export const DeliveryId = idOf('delivery')
export const ActionId = idOf('action')
export const PasskeyId = idOf('passkey')
export const ApiKeyId = idOf('apiKey')
export const MailId = idOf('mail')
export const RegistrationId = idOf('registration')
export const DocumentLinksId = idOf('documentLinks')
export const StatusDecisionId = idOf('statusDecision')

export type UserId = z.infer<typeof UserId>
export type SessionId = z.infer<typeof SessionId>
export type ListingId = z.infer<typeof ListingId>
export type MediaId = z.infer<typeof MediaId>
export type PaymentId = z.infer<typeof PaymentId>
export type RefundId = z.infer<typeof RefundId>
export type DocumentId = z.infer<typeof DocumentId>
export type CallbackId = z.infer<typeof CallbackId>
export type EventId = z.infer<typeof EventId>
export type NotificationId = z.infer<typeof NotificationId>
export type EnquiryId = z.infer<typeof EnquiryId>
export type MessageId = z.infer<typeof MessageId>
export type PaymentRequestId = z.infer<typeof PaymentRequestId>
export type SavedSearchId = z.infer<typeof SavedSearchId>
export type PayoutId = z.infer<typeof PayoutId>
export type TransactionId = z.infer<typeof TransactionId>
export type WebhookId = z.infer<typeof WebhookId>
export type DeliveryId = z.infer<typeof DeliveryId>
export type ActionId = z.infer<typeof ActionId>
export type PasskeyId = z.infer<typeof PasskeyId>
export type ApiKeyId = z.infer<typeof ApiKeyId>
export type MailId = z.infer<typeof MailId>
export type RegistrationId = z.infer<typeof RegistrationId>
export type DocumentLinksId = z.infer<typeof DocumentLinksId>
export type StatusDecisionId = z.infer<typeof StatusDecisionId>

export type Id<Kind extends IdKind> = string & z.$brand<Kind>

export type ExportId = Id<'export'>

/** Makes a new identifier of a kind. */
export type NewId = <Kind extends IdKind>(kind: Kind) => Id<Kind>

/**
 * Makes identifiers by a clock: ULIDs behind a prefix. They sort by their 48 bits of time, and cannot be guessed for their
 * 80 random bits. Two of one millisecond sort in no particular order.
 */
export const idMaker =
  (now: Clock): NewId =>
  (kind) =>
    `${PREFIXES[kind]}_${encodeTime(now().getTime())}${inAlphabet(randomBytes(FINGERPRINT_LENGTH))}` as Id<
      typeof kind
    >

/** Makes identifiers by the machine's own clock. */
export const newId: NewId = idMaker(systemClock)

/**
 * Makes an identifier that sorts after another of its kind. If the other is of the same millisecond, or of a later one by
 * another machine's clock, the new one is dated one millisecond after it.
 */
export function idAfter<Kind extends IdKind>(newId: NewId, kind: Kind, other: Id<Kind>): Id<Kind> {
  const id = newId(kind)
  if (id > other) return id
  const start = PREFIXES[kind].length + 1
  const next = encodeTime(decodeTime(other.slice(start)) + 1)
  return `${PREFIXES[kind]}_${next}${id.slice(-FINGERPRINT_LENGTH)}` as Id<Kind>
}

/** Returns the greatest identifier of a kind that is older than a moment, for lists that are read by time. */
export const lastIdBefore = <Kind extends IdKind>(kind: Kind, moment: Date): Id<Kind> =>
  `${PREFIXES[kind]}_${encodeTime(Math.max(0, moment.getTime() - 1))}${'Z'.repeat(FINGERPRINT_LENGTH)}` as Id<Kind>

/** Returns when an identifier was made, in milliseconds since 1970. */
export const timeOfId = (id: string): number => decodeTime(id.slice(id.indexOf('_') + 1))

/** The number of characters after the time: 80 bits, which are random or derived from a hash. */
const FINGERPRINT_LENGTH = 16
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

/**
 * Returns an identifier with the time of another identifier, `asOldAs`. The last 16 characters are 80 bits of a hash of
 * `identity`, and always the same for the same `identity`. All prefixes have the same length.
 */
export function derivedId<Kind extends IdKind>(kind: Kind, asOldAs: string, identity: string[]): Id<Kind> {
  const hash = sha256Bytes(JSON.stringify(identity))
  const time = asOldAs.slice(PREFIXES[kind].length + 1, -FINGERPRINT_LENGTH)
  return `${PREFIXES[kind]}_${time}${inAlphabet(hash.subarray(0, FINGERPRINT_LENGTH))}` as Id<Kind>
}

/** Writes each byte as one letter of the alphabet, by five of its bits. */
const inAlphabet = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => ALPHABET[byte % ALPHABET.length]).join('')

/** Returns the part of a derived identifier that does not depend on its age. */
export const fingerprintOf = (id: string): string => id.slice(-FINGERPRINT_LENGTH)

/** Returns the name of an administrator where users have their id: among callers and actors. */
export const administratorId = (subject: string): string => `admin:${subject}`
