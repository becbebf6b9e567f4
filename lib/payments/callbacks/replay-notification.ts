import * as z from 'zod'
import { DomainError } from '#lib/kernel/domain-error'
import { type NotificationId, PaymentId } from '#lib/kernel/id'
import type { Payment } from '#lib/payments/payment'
import { PaymentStatus, statusOf } from '#lib/payments/payment-status'
import type { Providers } from '#lib/payments/provider/registry'
import { untilWon } from '#lib/payments/until-won'
import type { Telling } from './confirm.ts'
import type { Notification } from './notification.ts'
import { NotificationView, notificationView } from './notification-view.ts'
import { changeOf, findPayment, type SettleDeps, settleWaiting, toldBy } from './settle-notification.ts'

/** Whether to do it, or only to say what it would do. */
export const ReplayRequest = z.object({ dryRun: z.boolean().default(false) })

/** What a replay came to, or would: the notification as it then stands, and what changes of the payment. */
export const Replay = z
  .object({
    dryRun: z.boolean(),
    notification: NotificationView,
    payment: z
      .object({
        id: PaymentId,
        from: PaymentStatus,
        to: PaymentStatus,
        amountRefundedFrom: z.int(),
        amountRefundedTo: z.int(),
      })
      .nullable(),
  })
  .meta({ id: 'NotificationReplay' })
export type Replay = z.infer<typeof Replay>

type Deps = SettleDeps & { providers: Pick<Providers, 'find'> }

/** What is never done again: it has been done, or it contradicts what came first. */
const FINAL: readonly Notification['status'][] = ['PROCESSED', 'CONFLICT']

/**
 * Processes a notification once more, read anew from its raw body where it could not be understood before. What was
 * processed changes nothing again, and a conflict stays one. Throws `not_found`.
 */
export async function replayNotification(
  deps: Deps,
  id: NotificationId,
  { dryRun }: z.infer<typeof ReplayRequest>,
): Promise<Replay> {
  const kept = await deps.inbox.get(id)
  if (kept?.id !== id) throw new DomainError('not_found')
  const nothing: Replay = { dryRun, notification: notificationView(kept), payment: null }
  if (FINAL.includes(kept.status)) return nothing
  const notification = isUnderstood(kept) ? kept : { ...kept, ...(await readAgain(deps, kept)) }
  if (!isUnderstood(notification)) return nothing
  const { provider, statement, references } = notification
  const named = await findPayment(deps.payments, { provider, references })
  if (!named && statement) return nothing
  const statements = await toldBy(deps, notification, named ?? null, dryRun)
  const found =
    named ??
    (await findPayment(deps.payments, {
      provider,
      references: statements.flatMap((told) => told.references),
    }))
  if (!found || statements.length === 0) return nothing
  return process(deps, { notification, statements, found, dryRun })
}

/** Whether it says something, or at least points at what its provider can be asked about. */
const isUnderstood = ({ statement, references }: Notification): boolean =>
  statement !== null || references.length > 0

type Replayed = { notification: Notification; statements: Telling[]; found: Payment; dryRun: boolean }

async function process(deps: Deps, { notification, statements, found, dryRun }: Replayed): Promise<Replay> {
  const { learnt, replay } = await untilWon(async () => {
    const payment = await deps.payments.get(found.id)
    if (!payment) throw new DomainError('not_found')
    const { writes, learnt, outcome, next } = changeOf(deps, payment, notification, statements)
    if (!dryRun) await deps.payments.commit(writes)
    const change = {
      id: payment.id,
      from: statusOf(payment, deps.now()),
      to: next.status,
      amountRefundedFrom: payment.amountRefunded,
      amountRefundedTo: next.amountRefunded,
    }
    const view = notificationView({ ...notification, ...outcome })
    return { learnt, replay: { dryRun, notification: view, payment: change } }
  })
  if (!dryRun) await settleWaiting(deps, notification.provider, learnt)
  return replay
}

/** What the provider's file makes of the raw body today. */
async function readAgain(
  { providers }: Deps,
  { provider: name, rawBody, headers, eventId }: Notification,
): Promise<Partial<Pick<Notification, 'statement' | 'references'>>> {
  const provider = await providers.find(name)
  const request = { method: 'POST', rawBody: Buffer.from(rawBody), headers, rawQuery: '' }
  const events = (await provider?.translate(request)) ?? []
  const event =
    events.find((each) => each.eventId === eventId) ?? (events.length === 1 ? events[0] : undefined)
  return event ? { statement: event.statement, references: event.references } : {}
}
