import type { Timestamp } from '#lib/kernel/clock'
import type { PaymentId, UserId } from '#lib/kernel/id'
import type { Page } from '#lib/kernel/page'
import type { Commit, Write } from '#lib/kernel/write'
import type { Posting } from './ledger/posting.ts'
import type { Payment } from './payment.ts'
import type { PaymentStatus } from './payment-status.ts'

/** One move of a payment from a status to another: why, and on whose word. */
type PaymentMove = {
  payment: Payment
  from: PaymentStatus
  /** `provider:<name>`, a user's id, or `system`. */
  actor: string
  reason: string
}

/** Which payments to list, newest first; `after` is the id of the last one seen. */
export type PageOptions = { limit: number; after: PaymentId | undefined }

/** The list of the payments that need someone. */
export const ATTENTION = 'ATTENTION'

/** A name of a provider's that a payment would learn is another payment's already. */
export class ReferenceTaken extends Error {
  override readonly name = 'ReferenceTaken'
  readonly reference: string

  constructor(reference: string) {
    super(`${reference} names another payment already`)
    this.reference = reference
  }
}

/** In how many parts the list of due payments is read, so that runs at the same time need not read the same one. */
export const DUE_SHARDS = 4

/** A payment that is due, by its entry in the list: the record may say otherwise, or be gone. */
export type DueEntry = { id: PaymentId; dueAt: string }

/** Where payments live. Reads are consistent; writes are values for `commit`. */
export type PaymentStore = {
  get: (id: PaymentId) => Promise<Payment | undefined>
  /** Payments by id, in one request for each hundred. A record that cannot be read is its error; a missing one is absent. */
  getEach: (ids: readonly PaymentId[]) => Promise<Map<PaymentId, Payment | Error>>
  /** The payment that any of a provider's ids was learnt to name; the first that is known decides. */
  byReference: (provider: string, references: readonly string[]) => Promise<Payment | undefined>
  /** A user's payments as they are. One started within the last second may be missing. */
  byUser: (userId: UserId, page: PageOptions) => Promise<Page<Payment, PaymentId>>
  /** The payments of a status, a provider, a listing, an agent, those of `ATTENTION`, or `ALL` there are. */
  list: (list: PaymentStatus | string, page: PageOptions) => Promise<Page<Payment, PaymentId>>
  /**
   * Lists the entries of one of the `DUE_SHARDS` that are due by now, the longest due first; `after` is the last one
   * seen.
   */
  due: (
    now: Timestamp,
    page: { shard: number; limit: number; after: DueEntry | undefined },
  ) => Promise<DueEntry[]>
  /** Removes an entry that its payment does not stand behind. */
  dropDue: (entry: DueEntry) => Write
  /** Payments that have changed since they were audited, and the version that changed them last; by id, from `after` on. */
  toAudit: (page: PageOptions) => Promise<{ id: PaymentId; version: number }[]>
  /** Takes a payment off that list, unless it has changed since. */
  audited: (entry: { id: PaymentId; version: number }) => Write
  /** A new payment, counted as open: `open_payment_limit_reached` where its payer has twenty, however many come at once. */
  insert: (payment: Payment) => Write[]
  /**
   * Puts a payment whose version is one above the stored one's, else `WriteConflict`; with its new names and its places
   * in the lists. A name that another payment has is `ReferenceTaken`.
   */
  save: (before: Payment, after: Payment) => Write[]
  /** A write that fails, as a `WriteConflict`, where a payment has changed since it was seen. */
  unchanged: (seen: Payment) => Write
  /** The move as the payment's history keeps it. */
  record: (move: PaymentMove) => Write
  /** A movement of money as the ledger keeps it: one for each version of the payment and money object. */
  post: (id: PaymentId, posting: Posting) => Write
  /** Everything the ledger has of a payment, oldest first. */
  postings: (id: PaymentId) => Promise<Posting[]>
  commit: Commit
}
