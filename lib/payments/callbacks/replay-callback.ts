import * as z from 'zod'
import { type Journal, newAction } from '#lib/journal/journal'
import { DomainError } from '#lib/kernel/domain-error'
import type { CallbackId, PaymentId } from '#lib/kernel/id'
import { merge, type Stated } from '#lib/payments/state/merge'
import { type Payment, revised } from '#lib/payments/state/payment'
import { ALWAYS_CLOSED } from '#lib/providers/circuit-breaker'
import { readPayment } from '#lib/providers/read-payment'
import { type ApplyDeps, applyTo, contentOf, findPayment, outcomeOf } from './apply.ts'
import { type Callback, keptReferences } from './callback.ts'
import type { CallbackStore } from './callback-store.ts'
import { CallbackView, callbackView } from './callback-view.ts'
import { changeBetween, WouldChange } from './would-change.ts'

export const ReplayRequest = z
  .object({ dryRun: z.boolean().default(false) })
  .meta({ example: { dryRun: true } })

/** The outcome of a replay, or of its preview: the callback, and the payment's changes. */
export const Replay = z
  .object({ dryRun: z.boolean(), callback: CallbackView, wouldChange: WouldChange.nullable() })
  .meta({ id: 'CallbackReplay' })
export type Replay = z.infer<typeof Replay>

/** A processed callback and a CONFLICT are never applied again. */
const FINAL: readonly Callback['status'][] = ['PROCESSED', 'CONFLICT']

/**
 * Whether a callback has ended permanently. One about a payout waits for nothing: the payout is read when it is due.
 */
const isFinal = ({ status, resolution, payout }: Callback): boolean =>
  FINAL.includes(status) || resolution !== null || payout !== null

/**
 * Processes a callback once more. A callback that could not be understood is interpreted from its raw body again. The
 * journal records each replay, also one that changes nothing. A dry run changes nothing, here or at the provider. Throws
 * `not_found`, and `unavailable` when the provider does not answer.
 */
export async function replayCallback(
  own: Omit<ApplyDeps, 'circuitBreaker'> & {
    callbacks: CallbackStore
    journal: Journal
  },
  { id, administrator: by }: { id: CallbackId; administrator: string },
  { dryRun }: z.infer<typeof ReplayRequest>,
): Promise<Replay> {
  const deps = { ...own, circuitBreaker: ALWAYS_CLOSED }
  const kept = await deps.callbacks.get(id)
  if (!kept) throw new DomainError('not_found')
  const record = (details: { paymentId: PaymentId | null; status: Callback['status'] }) =>
    deps.journal.record(newAction(deps.newId, { by, subject: id, action: 'callback.replayed', details }))
  const leaveUnchanged = async (): Promise<Replay> => {
    const { paymentId, status } = kept
    if (!dryRun) await deps.callbacks.commit([record({ paymentId, status })])
    return { dryRun, callback: callbackView(kept), wouldChange: null }
  }
  if (isFinal(kept)) return leaveUnchanged()
  const isReadAgain = !isUnderstood(kept) && !kept.isErased
  const callback = isReadAgain ? { ...kept, ...(await readAgain(deps, kept)) } : kept
  const match = isUnderstood(callback) ? await findMatch(deps, callback, { mayCapture: !dryRun }) : null
  if (!match) return leaveUnchanged()
  const { payment, stated } = match
  const merged = merge(payment, stated)
  const outcome = outcomeOf(callback, payment, merged, deps.now())
  const details = { paymentId: payment.id, status: outcome.status }
  if (!dryRun) await applyTo(deps, callback, payment, stated, [record(details)])
  const after = dryRun ? { ...callback, ...outcome } : ((await deps.callbacks.get(id)) ?? callback)
  return {
    dryRun,
    callback: callbackView(after),
    wouldChange: changeBetween(payment, revised(payment, merged.next, deps.now()), deps.now()),
  }
}

/** Whether a callback states something, or names a payment that its provider can be asked about. */
const isUnderstood = ({ statement, references }: Callback): boolean =>
  statement !== null || references.length > 0

/** Returns the payment that a callback names, and its statement; null while one of them is not known. */
async function findMatch(
  deps: ApplyDeps,
  callback: Callback,
  { mayCapture }: { mayCapture: boolean },
): Promise<{ payment: Payment; stated: Stated } | null> {
  const { provider: name, references } = callback
  const named = await findPayment(deps.payments, callback)
  if (named) {
    const content = await contentOf(deps, callback, named, { mayCapture })
    return content.kind === 'stated' ? { payment: named, stated: content.stated } : null
  }
  // The references in the provider's answer may lead to a payment that the callback's own do not name.
  const provider = await deps.providers.find(name)
  if (!provider || callback.statement) return null
  const question = { payment: null, references, mayCapture: false }
  const reading = await readPayment(provider, question, deps.now)
  if (!reading) return null
  const payment = await findPayment(deps.payments, { provider: name, references: reading.references })
  return payment ? { payment, stated: { kind: 'reading', reading, references } } : null
}

async function readAgain(
  { providers }: ApplyDeps,
  { provider: name, rawBody, headers, eventId }: Callback,
): Promise<Partial<Pick<Callback, 'statement' | 'references'>>> {
  const provider = await providers.find(name)
  const request = { method: 'POST', rawBody: Buffer.from(rawBody), headers, rawQuery: '' }
  const events = (await provider?.interpret(request)) ?? []
  // A body that could not be read was stored under an id of its own: its only event is then the one meant.
  const event =
    events.find((each) => each.eventId === eventId) ?? (events.length === 1 ? events[0] : undefined)
  return event ? { statement: event.statement, references: keptReferences(event) } : {}
}
