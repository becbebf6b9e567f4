import { isDeepStrictEqual } from 'node:util'
import { DomainError } from '#lib/kernel/domain-error'
import type { PaymentId } from '#lib/kernel/id'
import { retryConflicts } from '#lib/kernel/retry'
import { type Write, WriteConflict } from '#lib/kernel/write'
import { type ChangeDeps, changeOf, type Why } from '../change/change-payment.ts'
import type { PaymentReader } from '../payment-store.ts'
import { type Merged, merge, type Stated } from '../state/merge.ts'
import { type Payment, revised } from '../state/payment.ts'
import type { CallbackStore } from './callback-store.ts'
import { reportMismatch } from './report-mismatch.ts'

export type StoreDeps = ChangeDeps & {
  payments: PaymentReader
  callbacks: CallbackStore
}

type Storing = {
  why: Why
  /** The payment as it was just read; absent: it is read first. */
  seen?: Payment
  /** A further edit of the payment's next version, stored with the statements. */
  edit?: (next: Payment, merged: Merged, before: Payment) => Payment
  /** Further writes of the last transaction. */
  also?: (next: Payment, merged: Merged, before: Payment) => Write[]
  /** Whether the first mismatch is stored by the caller, in `also`. */
  storesMismatch?: boolean
  /** Asked after a conflict: whether another function has stored the same meanwhile, so that the work is done. */
  isDone?: () => Promise<boolean>
}

/**
 * Stores a provider's statements of a payment, from any source, and resolves conflicts with other writers: in several
 * transactions where one cannot hold them, in none where they change nothing. Each statement that cannot be true of the
 * payment is stored as a MISMATCHED callback. `stated` is null where only the edit of `storing` is stored. Returns the
 * payment as stored, and its new references. Throws `not_found`.
 */
export async function storeStated(
  deps: StoreDeps,
  id: PaymentId,
  stated: Stated | null,
  storing: Storing,
): Promise<{ payment: Payment; newReferences: string[] }> {
  const newReferences: string[] = []
  let { seen } = storing
  for (;;) {
    const { before, after, isComplete } = await retryConflicts(async (isRetry) => {
      const payment = seen && !isRetry ? seen : await deps.payments.get(id)
      if (!payment) throw new DomainError('not_found')
      try {
        return await storeOnce(deps, payment, stated, storing)
      } catch (error) {
        const isDone = error instanceof WriteConflict && (await storing.isDone?.())
        if (!isDone) throw error
        return { before: payment, after: payment, isComplete: true }
      }
    })
    newReferences.push(...after.references.filter((reference) => !before.references.includes(reference)))
    if (isComplete) return { payment: after, newReferences }
    seen = after
  }
}

async function storeOnce(
  deps: StoreDeps,
  before: Payment,
  stated: Stated | null,
  { why, edit = (next) => next, also = () => [], storesMismatch = false }: Storing,
) {
  const merged = stated ? merge(before, stated) : { next: before, mismatched: [], isComplete: true }
  const reported = storesMismatch ? merged.mismatched.slice(1) : merged.mismatched
  // Safe to repeat after a conflict: the callback of a mismatch has an id derived from the statement.
  for (const statement of reported) await reportMismatch(deps, before, statement)
  const edited = edit(revised(before, merged.next, deps.now()), merged, before)
  const { isComplete } = merged
  const furtherWrites = (next: Payment) => (isComplete ? also(next, merged, before) : [])
  if (isSame(before, edited)) {
    const writes = furtherWrites(before)
    if (writes.length > 0) await deps.payments.commit([deps.payments.unchanged(before), ...writes])
    return { before, after: before, isComplete }
  }
  const { payment: after, writes } = await changeOf(deps, before, edited, why)
  await deps.payments.commit([...writes, ...furtherWrites(after)])
  return { before, after, isComplete }
}

/** Whether a version differs from the one before it by its number and its time alone. */
const isSame = (before: Payment, after: Payment): boolean =>
  isDeepStrictEqual({ ...after, version: before.version, updatedAt: before.updatedAt }, before)
