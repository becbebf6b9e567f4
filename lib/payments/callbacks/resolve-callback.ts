import * as z from 'zod'
import { type Journal, newAction } from '#lib/journal/journal'
import { timestamp } from '#lib/kernel/clock'
import { DomainError, invalidField } from '#lib/kernel/domain-error'
import { administratorId, type CallbackId, PaymentId } from '#lib/kernel/id'
import { retryConflicts } from '#lib/kernel/retry'
import { text } from '#lib/kernel/text'
import type { Write } from '#lib/kernel/write'
import { changeOf } from '#lib/payments/change/change-payment'
import { ReferenceTaken } from '#lib/payments/payment-store'
import { type Stated, statementsOf, withProviderFacts } from '#lib/payments/state/merge'
import { type Payment, revised } from '#lib/payments/state/payment'
import type { Reading } from '#lib/payments/state/reading'
import { ALWAYS_CLOSED } from '#lib/providers/circuit-breaker'
import { readPayment } from '#lib/providers/read-payment'
import { type ApplyDeps, applyTo, contentOf, findPayment } from './apply.ts'
import { type Callback, NEEDS_SOMEONE, withoutPayer } from './callback.ts'
import type { CallbackOutcome } from './callback-store.ts'
import { type CallbackView, callbackView } from './callback-view.ts'

/** An administrator's decision on a callback that needs someone. */
export const CallbackResolution = z
  .object({
    action: z.enum(['DISMISS', 'ATTACH', 'ACCEPT']).meta({
      description:
        'DISMISS ignores it; ATTACH applies an UNMATCHED one to a payment of the same provider account; ACCEPT counts the charge of a MISMATCHED one with its own sum',
    }),
    paymentId: PaymentId.nullable().default(null),
    note: text({ min: 1, max: 1000 }).meta({ example: 'Checked by telephone.' }),
  })
  .meta({ id: 'CallbackResolution' })
type Resolution = z.infer<typeof CallbackResolution>

type Deps = ApplyDeps & { journal: Journal }
/** Without `circuitBreaker`: an administrator's request always reaches the provider. */
type OwnDeps = Omit<Deps, 'circuitBreaker'>

/**
 * Ends a callback that needs someone. The same resolution again gets the same answer. Throws `not_found`. Throws
 * `callback_not_resolvable` with its `callbackStatus` for any other state or action, and `validation_failed` for a
 * payment of another account. Throws `unavailable` when the provider has to be read and does not answer.
 */
export async function resolveCallback(
  own: OwnDeps,
  { id, administrator }: { id: CallbackId; administrator: string },
  resolution: Resolution,
): Promise<CallbackView> {
  const deps = { ...own, circuitBreaker: ALWAYS_CLOSED }
  const kept = await deps.callbacks.get(id)
  if (!kept) throw new DomainError('not_found')
  const { action } = resolution
  if (isResolvedBy(kept, resolution)) return callbackView(kept)
  if (!NEEDS_SOMEONE.includes(kept.status)) throw notResolvable(kept)
  if (action === 'ATTACH') await attach(deps, kept, resolution, administrator)
  else if (action === 'ACCEPT') await accept(deps, kept, resolution, administrator)
  else await dismiss(deps, kept, resolution, administrator)
  const ended = (await deps.callbacks.get(id)) ?? kept
  // Another administrator has resolved it otherwise meanwhile.
  if (ended.resolution && !isResolvedBy(ended, resolution)) throw notResolvable(ended)
  return callbackView(ended)
}

const isResolvedBy = ({ resolution }: Callback, { action, paymentId }: Resolution): boolean =>
  resolution?.action === action && (action !== 'ATTACH' || resolution.paymentId === paymentId)

const notResolvable = ({ status }: Callback): DomainError =>
  new DomainError('callback_not_resolvable', {
    detail: `A callback that is ${status} cannot be resolved so`,
    extensions: { callbackStatus: status },
  })

/** Ends a callback without a change of its payment: money that came stays a charge that was not asked for. */
const dismiss = (deps: Deps, kept: Callback, resolution: Resolution, by: string): Promise<void> =>
  close(deps, kept, resolution, by, { status: 'IGNORED', edit: (payment) => payment })

/** Counts a charge of another sum, in the payment's own currency, as the success that it is. */
async function accept(deps: Deps, kept: Callback, resolution: Resolution, by: string): Promise<void> {
  const { statement, paymentId, eventId } = kept
  const payment = paymentId && (await deps.payments.get(paymentId))
  if (kept.status !== 'MISMATCHED' || statement?.kind !== 'succeeded' || !payment) throw notResolvable(kept)
  if (statement.money?.currency !== payment.currency) throw notResolvable(kept)
  const fact = { ...statement, id: `accepted:${eventId}`, accepted: true }
  const acceptAs = async (references: readonly string[]): Promise<void> => {
    const edit = (known: Payment) => withProviderFacts(known, [fact], references)
    try {
      await close(deps, kept, resolution, by, { status: 'PROCESSED', edit })
    } catch (error) {
      if (!(error instanceof ReferenceTaken)) throw error
      // The reference stays the other payment's.
      await acceptAs(references.filter((reference) => reference !== error.reference))
    }
  }
  await acceptAs(kept.references)
}

const close = (
  deps: Deps,
  seen: Callback,
  resolution: Resolution,
  by: string,
  { status, edit }: { status: CallbackOutcome['status']; edit: (payment: Payment) => Payment },
): Promise<void> =>
  retryConflicts(async () => {
    const kept = (await deps.callbacks.get(seen.id)) ?? seen
    // The second of two administrators at once finds the resolution that the first has stored.
    if (isResolvedBy(kept, resolution)) return
    if (kept.status !== seen.status) throw notResolvable(kept)
    const now = deps.now()
    const { action, note } = resolution
    const { paymentId, detail } = kept
    const payment = paymentId === null ? undefined : await deps.payments.get(paymentId)
    const outcome = {
      // The erasure of a person finds callbacks by their payments: without one, the payer's data is removed now.
      ...(paymentId === null && withoutPayer(kept)),
      status,
      paymentId,
      detail,
      processedAt: timestamp(now),
      resolution: { action, paymentId, note },
    }
    await deps.payments.commit([
      ...(payment ? await changes(deps, payment, edit(payment), action, by) : []),
      ...deps.callbacks.close(kept, outcome),
      journalEntryOf(deps, kept, { action, note, paymentId }, by),
    ])
  })

async function changes(
  deps: Deps,
  before: Payment,
  edited: Payment,
  action: string,
  actor: string,
): Promise<Write[]> {
  const next = revised(before, edited, deps.now())
  const why = { actor: administratorId(actor), reason: `callback resolved: ${action}` }
  return (await changeOf(deps, before, next, why)).writes
}

/** Applies an UNMATCHED callback as if it had named the payment. Without a signature, the payment is read first. */
async function attach(
  deps: Deps,
  kept: Callback,
  { paymentId, note, action }: Resolution,
  by: string,
): Promise<void> {
  if (kept.status !== 'UNMATCHED') throw notResolvable(kept)
  const payment = paymentId === null ? undefined : await deps.payments.get(paymentId)
  if (payment?.provider !== kept.provider) {
    throw invalidField('paymentId', 'must be the id of a payment of the same provider account')
  }
  // For the reading: the provider may know the payment only by the references of the callback.
  const named = { ...payment, references: [...payment.references, ...kept.references] }
  const content = await contentOf(deps, kept, named, { known: await readNamed(deps, kept, payment) })
  if (content.kind !== 'stated' || !showsClaimedMoney(kept, content.stated))
    throw new DomainError('unavailable', { cause: "The provider's API does not confirm it" })
  const resolved = { ...kept, resolution: { action, paymentId, note } }
  await applyTo(deps, resolved, payment, content.stated, [
    journalEntryOf(deps, kept, { action, note, paymentId }, by),
  ])
}

/**
 * Reads what an unconfirmed callback itself names, as it was read when it arrived: a question about the payment would be
 * answered by what that payment is known by. Null where the provider says nothing of it, or names another payment. Throws
 * `unavailable`.
 */
async function readNamed(
  { providers, payments, now }: Deps,
  { provider: name, references, statement, confirmed }: Callback,
  payment: Payment,
): Promise<Reading | null> {
  const provider = await providers.find(name)
  if (!provider || references.length === 0 || (statement && confirmed)) return null
  const reading = await readPayment(provider, { payment: null, references, mayCapture: false }, now)
  if (!reading || statementsOf(reading).length === 0) return null
  const named = await findPayment(payments, { provider: name, references: reading.references })
  return named === undefined || named.id === payment.id ? reading : null
}

/** Whether money that a callback claims is in what is attached: no other status of it may stand for that money. */
const showsClaimedMoney = ({ statement }: Callback, stated: Stated): boolean =>
  statement?.kind !== 'succeeded' ||
  stated.kind === 'statement' ||
  stated.reading.charges.some(({ kind }) => kind === 'succeeded')

/** The journal's entry of a resolution. */
const journalEntryOf = ({ journal, newId }: Deps, kept: Callback, details: Resolution, by: string): Write =>
  journal.record(newAction(newId, { by, subject: kept.id, action: 'callback.resolved', details }))
