/** Where an item lives in the table. Spelled only in `<noun>.keys.ts`. */
export type Key = { pk: string; sk: string }

/** A condition on the stored item under which a write happens. Paths are dotted (`sessions.ses_01…`). */
export type Condition =
  | 'absent'
  | 'present'
  /**
   * The item is there, every named attribute has this value (`undefined`: is missing), every number is below its bound, and
   * every map has fewer entries than its bound.
   */
  | { equals: Record<string, unknown>; below?: Record<string, number>; sizesBelow?: Record<string, number> }
  /** The item is there, and an attribute of it is below the given value. */
  | { below: { attribute: string; value: number } }
  /** Every named number of the item is below its value; a missing number is 0. The item may be missing. */
  | { countsBelow: Record<string, number> }
  /** The item is missing, or its attribute is below the given value (an expired claim). */
  | { absentOrBelow: { attribute: string; value: number | string } }

/**
 * A write that lost to another writer: its condition failed, and the item is unchanged. `retryConflicts` reads
 * and tries again; uncaught it is answered as `unavailable`.
 */
export class WriteConflict extends Error {
  override readonly name = 'WriteConflict'
}

/** The condition of a write, and what a failed one means. Without `otherwise` a failed condition is a `WriteConflict`. */
export type Guard = {
  when?: Condition
  /** Receives the stored item only if the write is a put or an update that is committed alone. */
  otherwise?: (stored?: Record<string, unknown>) => Error
}

/** What an update changes: attributes to set and to remove, and numbers to add to. */
export type Changes = { set: Record<string, unknown>; remove?: string[]; add?: Record<string, number> }

/** A write before its table has allowed it. */
export type Draft = Guard &
  ({ put: Key & Record<string, unknown> } | ({ update: Key } & Changes) | { remove: Key } | { check: Key })

const ALLOWED = Symbol('allowed')

/**
 * One part of a change: a value that a store makes and `Commit` carries out. Only the store's own
 * table makes a write, and checks it against the store's declaration. A transaction may join writes of several stores.
 */
export type Write = Draft & { readonly [ALLOWED]: true }

/** Makes a write of a draft. Only the table and the outbox of events call this: test/contract/architecture.test.ts. */
export const allowed = (draft: Draft): Write => ({ ...draft, [ALLOWED]: true })

/** The largest number of writes in one transaction. */
export const WRITES_MAX = 100

/**
 * Carries out all writes or none, at most `WRITES_MAX`, each to another item. A failed condition throws that write's
 * `otherwise`, the first in order, or else a `WriteConflict`. While another transaction or throttling is in the way,
 * it is repeated as `retry` does.
 */
export type Commit = (writes: Write[]) => Promise<void>
