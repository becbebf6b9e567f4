import type { Timestamp } from '#lib/kernel/clock'
import type { PaymentId, RefundId, UserId } from '#lib/kernel/id'
import type { Page } from '#lib/kernel/page'
import type { Commit, Write } from '#lib/kernel/write'
import type { Payment } from './state/payment.ts'
import type { PaymentStatus } from './state/payment-status.ts'

/** A change of a payment's status: who made it, and why. */
type PaymentMove = {
  payment: Payment
  from: PaymentStatus
  /** `provider:<name>`, a user's id, or `system`. */
  actor: string
  reason: string
}

/** Which page of a list to read; `after` is the id of the last payment seen. */
export type PageOptions = { limit: number; after: PaymentId | undefined }

/** The list of the payments that need someone. */
export const ATTENTION = 'ATTENTION'

/** A new reference of a payment names another payment already. */
export class ReferenceTaken extends Error {
  override readonly name = 'ReferenceTaken'
  readonly reference: string

  constructor(reference: string) {
    super(`${reference} names another payment already`)
    this.reference = reference
  }
}

/** The most payments of one person that may be PENDING. */
export const OPEN_LIMIT = 20

/** The number of shards of the list of due payments. Simultaneous runs begin with different ones. */
export const DUE_SHARDS = 4

/** A payment that is due, by its entry in the list: the record may say otherwise, or be gone. */
export type DueEntry = { id: PaymentId; dueAt: string }

/** Where payments are stored. Reads are consistent; writes are values for `commit`. */
export type PaymentStore = {
  get: (id: PaymentId) => Promise<Payment | undefined>
  /** Payments by id, in one request for each hundred. A record that cannot be parsed is an `Error`; a missing one is absent. */
  getEach: (ids: readonly PaymentId[]) => Promise<Map<PaymentId, Payment | Error>>
  /** The payment that one of a provider's ids names; of several known ids the first decides. */
  byReference: (provider: string, references: readonly string[]) => Promise<Payment | undefined>
  /** A user's payments as they are. One started within the last second may be missing. */
  byUser: (userId: UserId, page: PageOptions) => Promise<Page<Payment, PaymentId>>
  /** The payments of a list: that of a status, a provider, a listing or an agent, `ATTENTION`, or `ALL`. */
  list: (list: string, page: PageOptions) => Promise<Page<Payment, PaymentId>>
  /**
   * Lists the entries of one of the `DUE_SHARDS` that are due by now, the longest due first; `after` is the last one
   * seen.
   */
  due: (
    now: Timestamp,
    page: { shard: number; limit: number; after: DueEntry | undefined },
  ) => Promise<DueEntry[]>
  /** Removes an entry whose payment is due at another time, or is gone. */
  dropDue: (entry: DueEntry) => Write
  /** Payments that have changed since they were audited, and the version that changed them last; by id, from `after` on. */
  toAudit: (page: PageOptions) => Promise<{ id: PaymentId; version: number }[]>
  /** Takes a payment off the list of `toAudit`, unless it has changed since. */
  markAudited: (entry: { id: PaymentId; version: number }) => Write
  /** The number of a user's payments that are stored as PENDING. */
  countOpen: (userId: UserId) => Promise<number>
  /** Counts the payments that a person has begun, taken from a stored counter. */
  countBegun: (userId: UserId) => Promise<number>
  /** Makes a transaction a `WriteConflict` once the person has begun another number of payments. */
  requireBegun: (userId: UserId, count: number) => Write
  /** A new payment, counted as open: `open_payment_limit_reached` where its payer has twenty, however many come at once. */
  insert: (payment: Payment) => Write[]
  /**
   * Stores a payment, its new references and its list entries. `WriteConflict` unless its version is one above the
   * stored one's; `ReferenceTaken` for a reference of another payment.
   */
  save: (before: Payment, after: Payment) => Write[]
  /** A write that fails, as a `WriteConflict`, where a payment has changed since it was seen. */
  unchanged: (seen: Payment) => Write
  /** Stores a change of status in the payment's history. */
  recordMove: (move: PaymentMove) => Write
  commit: Commit
}

/** Finds payments by the ids of providers and refunds. */
export type References = {
  /**
   * The ids of the payments that carry a provider's reference, and of the callbacks that wait for such a payment. One
   * that was stored within the last second may be missing.
   */
  ofReference: (reference: string, limit: number) => Promise<string[]>
  /** The payment that a refund is part of. */
  ofRefund: (id: RefundId) => Promise<PaymentId | undefined>
}

export type PaymentReader = Pick<
  PaymentStore,
  | 'get'
  | 'getEach'
  | 'byReference'
  | 'byUser'
  | 'list'
  | 'due'
  | 'toAudit'
  | 'countOpen'
  | 'countBegun'
  | 'requireBegun'
  | 'unchanged'
>

/** The payments of one person. */
export type UserPayments = Pick<PaymentStore, 'byUser'>
