import { timestamp } from '#lib/kernel/clock'
import { DomainError } from '#lib/kernel/domain-error'
import { PaymentId } from '#lib/kernel/id'
import { retryConflicts } from '#lib/kernel/retry'
import { type Write, WriteConflict } from '#lib/kernel/write'
import type { Why } from '#lib/payments/change/change-payment'
import { type PaymentReader, ReferenceTaken } from '#lib/payments/payment-store'
import { areFull, type Statement } from '#lib/payments/state/fact'
import { isKnown, type Merged, merge, mismatchOf, type Stated } from '#lib/payments/state/merge'
import type { Payment } from '#lib/payments/state/payment'
import type { Reading } from '#lib/payments/state/reading'
import { type Circuits, callProvider } from '#lib/providers/circuit-breaker'
import { readPayment } from '#lib/providers/read-payment'
import type { Providers } from '#lib/providers/registry'
import { type Callback, withoutPayer } from './callback.ts'
import type { CallbackOutcome, CallbackStore } from './callback-store.ts'
import { type StoreDeps, storeStated } from './store-stated.ts'

export type ApplyDeps = StoreDeps & {
  payments: PaymentReader
  callbacks: CallbackStore
  providers: Pick<Providers, 'find'>
  circuitBreaker: Circuits
}

/** The result of applying a callback: its statement is stored in its payment, or the callback waits for the payment. */
type Applied = { kind: 'applied' | 'waiting' }

/**
 * What a callback says of its payment. `stated`: a statement that is believed, or a reading that confirms the callback.
 * `behind`: the provider's API does not show the claim yet. `silent`: the API cannot be read, or knows no such payment.
 */
type Content = { kind: 'stated'; stated: Stated } | { kind: 'behind'; stated: Stated } | { kind: 'silent' }

/**
 * Applies a stored callback to the payment that it is about, or lets it wait for that payment. Safe to repeat, also in
 * parallel: the payment changes once, and another function completes what one began. An unsigned claim waits until the
 * provider's API confirms it. Throws `unavailable` when the API does not answer.
 */
export async function applyCallback(
  deps: ApplyDeps,
  callback: Callback,
  reading: Reading | null = null,
): Promise<Applied> {
  const { provider, references, status } = callback
  // The function that processed it may have died before it applied the callbacks that wait for the new references.
  if (status === 'PROCESSED') await applyWaiting(deps, provider, references)
  if (status !== 'UNMATCHED') return { kind: 'applied' }
  const first = await applyNow(deps, callback, reading)
  if (first.kind === 'applied' || callback.waits) return first
  // The payment may have been stored after the first attempt, and have searched its callbacks before this one waited.
  return applyNow(deps, await storeWaiting(deps, callback), reading)
}

/** Applies the callbacks that wait for a payment by these references. Call it after the payment has stored them. */
export async function applyWaiting(
  deps: ApplyDeps,
  provider: string,
  references: readonly string[],
): Promise<void> {
  if (references.length === 0) return
  for (const waiting of await deps.callbacks.waiting(provider, references)) {
    // The provider does not send this callback again: one that cannot be confirmed now goes on waiting.
    await applyNow(deps, waiting, null).catch((error: unknown) => {
      if (waiting.confirmed || !isTransient(error)) throw error
    })
  }
}

const isTransient = (error: unknown): boolean =>
  error instanceof WriteConflict || (error instanceof DomainError && error.code === 'unavailable')

const UNCONFIRMED = "The provider's API has not confirmed it"

/** Stores under its references that a callback waits, unless another function has closed it meanwhile. */
async function storeWaiting({ callbacks }: ApplyDeps, callback: Callback): Promise<Callback> {
  try {
    return await callbacks.wait(callback.confirmed ? callback : { ...callback, detail: UNCONFIRMED })
  } catch (error) {
    const current = error instanceof WriteConflict ? await callbacks.get(callback.id) : undefined
    if (current && current.status !== 'UNMATCHED') return current
    throw error
  }
}

async function applyNow(deps: ApplyDeps, callback: Callback, known: Reading | null): Promise<Applied> {
  if (callback.status !== 'UNMATCHED') return { kind: 'applied' }
  const payment = await findPayment(deps.payments, callback)
  if (!payment) return { kind: 'waiting' }
  const content = await contentOf(deps, callback, payment, { known })
  if (content.kind === 'silent') return { kind: 'waiting' }
  if (content.kind === 'behind') {
    // What the API shows already is stored, although it does not confirm the callback yet.
    const why = { actor: `provider:${callback.provider}`, reason: 'read' }
    await storeStated(deps, payment.id, content.stated, { why })
    return { kind: 'waiting' }
  }
  await applyTo(deps, callback, payment, content.stated)
  return { kind: 'applied' }
}

/** Returns the payment by our own id where the provider repeats it, else by any of its ids that we have learnt. */
export async function findPayment(
  payments: PaymentReader,
  { provider, references }: Pick<Callback, 'provider' | 'references'>,
): Promise<Payment | undefined> {
  const [own] = references.flatMap((reference) => PaymentId.safeParse(reference).data ?? [])
  const payment = own && (await payments.get(own))
  // A provider account may speak of its own payments only.
  if (payment?.provider === provider) return payment
  return payments.byReference(
    provider,
    references.filter((reference) => reference !== own),
  )
}

/**
 * Returns what a callback says: its signed statement, or what its provider's API says. `mayCapture`: whether the reading
 * may take money that the payer has approved. Throws `unavailable`.
 */
export async function contentOf(
  deps: ApplyDeps,
  callback: Callback,
  payment: Payment,
  { known = null, mayCapture = true }: { known?: Reading | null; mayCapture?: boolean } = {},
): Promise<Content> {
  const { statement, confirmed, provider: name, references, eventId, receivedAt: at } = callback
  if (statement && confirmed) {
    return { kind: 'stated', stated: { kind: 'statement', eventId, statement, references, at } }
  }
  const provider = await deps.providers.find(name)
  if (!provider) return { kind: 'silent' }
  const question = { payment, references, mayCapture }
  const read = () => readPayment(provider, question, deps.now)
  const reading = known ?? (await callProvider(deps.circuitBreaker, name, deps.now, read))
  if (!reading) return { kind: 'silent' }
  const stated: Stated = { kind: 'reading', reading, references }
  // A callback without a statement claims nothing that needs a confirmation.
  const isConfirmed = !statement || confirms(payment, stated, statement)
  return { kind: isConfirmed ? 'stated' : 'behind', stated }
}

/**
 * Whether a reading confirms the claim of a callback. For a claim about the payment itself any status that the API states
 * will do, since that status is stored in place of the claim. A refund or dispute needs a statement of its own.
 */
function confirms(payment: Payment, stated: Stated & { kind: 'reading' }, claimed: Statement): boolean {
  const { refunds, charges } = stated.reading
  if (claimed.kind === 'refund') {
    return refunds.some(({ providerRefundId }) => providerRefundId === claimed.providerRefundId)
  }
  if (claimed.kind === 'dispute') return isKnown(merge(payment, stated).next, claimed)
  return charges.length > 0
}

/** Stores what a callback says in its payment, and closes the callback with it. */
export async function applyTo(
  deps: ApplyDeps,
  callback: Callback,
  found: Payment,
  stated: Stated,
  furtherWrites: Write[] = [],
): Promise<void> {
  const why = whyOf(callback)
  let { waits } = callback
  const also = (_next: Payment, merged: Merged, before: Payment) => [
    ...deps.callbacks.close({ ...callback, waits }, outcomeOf(callback, before, merged, deps.now())),
    ...furtherWrites,
  ]
  const isDone = async () => {
    const stored = await deps.callbacks.get(callback.id)
    // Another copy may have stored that the callback waits: it is then closed as one that does.
    waits = stored?.waits ?? waits
    return stored?.status !== 'UNMATCHED'
  }
  try {
    // The payment was just read, unless its provider was asked since then.
    const seen = stated.kind === 'statement' ? { seen: found } : {}
    // `storesMismatch`: the first mismatch makes this callback MISMATCHED, so no other callback is stored for it.
    const storing = { why, also, ...seen, storesMismatch: true, isDone }
    const { newReferences } = await storeStated(deps, found.id, stated, storing)
    await applyWaiting(deps, callback.provider, newReferences)
  } catch (error) {
    if (!(error instanceof ReferenceTaken)) throw error
    await storeConflict(deps, callback, found, error, furtherWrites)
  }
}

const whyOf = ({ provider, type }: Callback): Why => ({ actor: `provider:${provider}`, reason: type })

/** Returns how a callback ends once it is merged. A FAILED or MISMATCHED one needs an administrator. */
export function outcomeOf(
  callback: Callback,
  payment: Payment,
  { mismatched }: Merged,
  now: Date,
): CallbackOutcome {
  const end = endOf(payment, mismatched[0])
  return {
    ...end,
    ...(payment.isPayerErased && withoutPayer({ ...callback, ...end })),
    paymentId: payment.id,
    processedAt: timestamp(now),
    resolution: callback.resolution,
  }
}

function endOf(
  payment: Payment,
  wrong: Statement | undefined,
): Pick<CallbackOutcome, 'status' | 'detail' | 'statement'> {
  if (areFull(payment.facts)) {
    return { status: 'FAILED', detail: 'The payment has no room for further facts' }
  }
  if (wrong) return { status: 'MISMATCHED', detail: mismatchOf(payment, wrong), statement: wrong }
  return { status: 'PROCESSED', detail: null }
}

/**
 * Stores a callback as CONFLICT, for an administrator: one of its references names another payment already. A callback that
 * another function has closed meanwhile stays as it is.
 */
async function storeConflict(
  { callbacks, payments, now }: ApplyDeps,
  callback: Callback,
  payment: Payment,
  { message: detail }: ReferenceTaken,
  furtherWrites: Write[],
): Promise<void> {
  const outcome = {
    ...(payment.isPayerErased && withoutPayer(callback)),
    status: 'CONFLICT' as const,
    detail,
    paymentId: payment.id,
    processedAt: timestamp(now()),
    resolution: callback.resolution,
  }
  await retryConflicts(async (isRetry) => {
    const stored = isRetry ? await callbacks.get(callback.id) : callback
    if (stored?.status !== 'UNMATCHED') return
    const closing = callbacks.close({ ...callback, waits: stored.waits }, outcome)
    await payments.commit([...closing, ...furtherWrites])
  })
}
