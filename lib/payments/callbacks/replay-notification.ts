import * as z from 'zod'
import { type Journal, newAction } from '#lib/journal/journal'
import { DomainError } from '#lib/kernel/domain-error'
import type { NotificationId } from '#lib/kernel/id'
import type { Payment } from '#lib/payments/payment'
import { changeBetween, WouldChange } from '#lib/payments/payment-change'
import { WITHOUT_PAUSE } from '#lib/payments/provider/patience'
import { readPayment } from '#lib/payments/read-payment'
import { applied, findPayment, type SettleDeps, type Told } from './apply-notification.ts'
import type { Notification } from './notification.ts'
import { NotificationView, notificationView } from './notification-view.ts'
import { applyTo, toldOf } from './settle-notification.ts'

/** Whether to do it, or only to say what it would do. */
export const ReplayRequest = z.object({ dryRun: z.boolean().default(false) })

/** What a replay came to, or would: the notification as it then stands, and what changes of the payment. */
export const Replay = z
  .object({ dryRun: z.boolean(), notification: NotificationView, wouldChange: WouldChange.nullable() })
  .meta({ id: 'NotificationReplay' })
export type Replay = z.infer<typeof Replay>

/** What is never done again: it has been done, or it contradicts what came first. */
const FINAL: readonly Notification['status'][] = ['PROCESSED', 'CONFLICT']

/**
 * Processes a notification once more, read anew from its raw body where it could not be understood before. What was
 * processed changes nothing again, and a conflict stays one. A dry run changes nothing, here or at the provider.
 * Throws `not_found`, and `unavailable` when the provider does not answer.
 */
export async function replayNotification(
  own: Omit<SettleDeps, 'patience'> & { journal: Pick<Journal, 'record'> },
  { id, administrator: by }: { id: NotificationId; administrator: string },
  { dryRun }: z.infer<typeof ReplayRequest>,
): Promise<Replay> {
  const deps = { ...own, patience: WITHOUT_PAUSE }
  const kept = await deps.inbox.get(id)
  if (kept?.id !== id) throw new DomainError('not_found')
  const nothing: Replay = { dryRun, notification: notificationView(kept), wouldChange: null }
  if (FINAL.includes(kept.status) || kept.resolution) return nothing
  const notification =
    isUnderstood(kept) || kept.isErased ? kept : { ...kept, ...(await readAgain(deps, kept)) }
  if (!isUnderstood(notification)) return nothing
  const subject = await subjectOf(deps, notification, dryRun)
  if (!subject) return nothing
  const { payment, told } = subject
  const { next, outcome } = await applied(deps, payment, notification, told)
  const details = { paymentId: payment.id, status: outcome.status }
  const deed = newAction(deps.newId, { by, subject: id, action: 'notification.replayed', details })
  if (!dryRun) await applyTo(deps, notification, payment, told, [deps.journal.record(deed)])
  const after = dryRun ? { ...notification, ...outcome } : ((await deps.inbox.get(id)) ?? notification)
  return {
    dryRun,
    notification: notificationView(after),
    wouldChange: changeBetween(payment, next, deps.now()),
  }
}

/** Whether it says something, or at least points at what its provider can be asked about. */
const isUnderstood = ({ statement, references }: Notification): boolean =>
  statement !== null || references.length > 0

/** The payment that a notification speaks of, and what it says; null while one of them is not known. */
async function subjectOf(
  deps: SettleDeps,
  notification: Notification,
  dryRun: boolean,
): Promise<{ payment: Payment; told: Told } | null> {
  const { provider: name, references } = notification
  const named = await findPayment(deps.payments, notification)
  if (named) {
    const told = await toldOf(deps, notification, named, null, !dryRun)
    return told && !('behind' in told) ? { payment: named, told } : null
  }
  const provider = await deps.providers.find(name)
  if (!provider || notification.statement) return null
  const question = { payment: null, references, mayCapture: false }
  const reading = await readPayment(provider, question)
  const payment =
    reading && (await findPayment(deps.payments, { provider: name, references: reading.references }))
  return reading && payment ? { payment, told: { reading } } : null
}

/** What the provider's file makes of the raw body today. */
async function readAgain(
  { providers }: SettleDeps,
  { provider: name, rawBody, headers, eventId }: Notification,
): Promise<Partial<Pick<Notification, 'statement' | 'references'>>> {
  const provider = await providers.find(name)
  const request = { method: 'POST', rawBody: Buffer.from(rawBody), headers, rawQuery: '' }
  const events = (await provider?.translate(request)) ?? []
  const event =
    events.find((each) => each.eventId === eventId) ?? (events.length === 1 ? events[0] : undefined)
  return event ? { statement: event.statement, references: event.references } : {}
}
