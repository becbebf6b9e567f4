import * as z from 'zod'
import { type ActionName, type Journal, newAction } from '#lib/journal/journal'
import { Moment, timestamp } from '#lib/kernel/clock'
import { DomainError, invalidField } from '#lib/kernel/domain-error'
import type { PayoutId } from '#lib/kernel/id'
import { text } from '#lib/kernel/text'
import type { Providers } from '#lib/providers/registry'
import { type ChangePayoutDeps, changePayout } from './change-payout.ts'
import { allowedMoves, type Payout, type PayoutStatus, refuseMove } from './payout.ts'
import { type ReadPayoutDeps, readPayout } from './read-payout.ts'

/** The proof of a payout by hand. */
export const PayoutSettlement = z.object({
  reference: text({ max: 200 }).meta({ description: 'The bank’s reference', example: '2026-11-20/0042' }),
  paidAt: Moment,
})

/** Why a payout did not arrive. */
export const PayoutFailure = z.object({
  note: text({ max: 1000 }).meta({ example: 'The bank knows no such account.' }),
})

type Deps = ChangePayoutDeps & { journal: Journal }
type SettleDeps = Deps & ReadPayoutDeps & { providers: Pick<Providers, 'find'> }

/** Who moves which payout. */
type Mover = { id: PayoutId; administrator: string }

/**
 * Approves a payout above the limit of one administrator. The same administrator's approval again changes nothing, whatever
 * became of the payout since. Throws `not_found`, `payout_transition_not_allowed`, and
 * `second_person_needed` for the administrator who made it.
 */
export const approvePayout = (deps: Deps, mover: Mover): Promise<Payout> =>
  move(deps, mover, { to: 'PENDING', action: 'payout.approved', details: {} }, (payout) => {
    if (payout.approvedBy === mover.administrator) return undefined
    refuseMove(payout, 'PENDING')
    if (payout.createdBy === mover.administrator) throw new DomainError('second_person_needed')
    const dueAt = payout.method === 'provider' ? timestamp(deps.now()) : null
    return { approvedBy: mover.administrator, dueAt }
  })

/**
 * Stores that a payout was paid: one by hand, or one that its provider does not know. For the latter, the provider is
 * asked once more. Throws `not_found` and `payout_transition_not_allowed`, also when the provider knows the payout now.
 */
export async function settlePayout(
  deps: SettleDeps,
  mover: Mover,
  { reference, paidAt }: z.infer<typeof PayoutSettlement>,
): Promise<Payout> {
  if (paidAt > timestamp(deps.now())) throw invalidField('paidAt', 'must not be in the future')
  const target = {
    to: 'PAID',
    action: 'payout.settled',
    details: { reference, paidAt },
  } as const
  const isDone = (payout: Payout) => payout.status === 'PAID' && payout.reference === reference
  await refuseKnown(deps, mover.id, isDone, 'PAID')
  return move(deps, mover, target, (payout) => {
    if (isDone(payout)) return undefined
    refuseMove(payout, 'PAID')
    return { reference, paidAt, ...ENDED }
  })
}

/**
 * Stores that a payout did not arrive: its money goes back to the agent. A FAILED payout that its provider later reported
 * as paid stays FAILED and needs no resolution any more. Throws as `settlePayout` does.
 */
export async function failPayout(
  deps: SettleDeps,
  mover: Mover,
  { note }: z.infer<typeof PayoutFailure>,
): Promise<Payout> {
  const hasFailed = (payout: Payout) => payout.status === 'FAILED'
  // A FAILED payout was decided before: its provider is not asked again, even where it needs a resolution.
  await refuseKnown(deps, mover.id, hasFailed, 'FAILED')
  return move(deps, mover, { to: 'FAILED', action: 'payout.failed', details: {} }, (payout) => {
    if (!hasFailed(payout)) refuseMove(payout, 'FAILED')
    else if (!payout.needsResolution) return undefined
    return { failure: { code: 'failed_by_hand', message: note }, ...ENDED }
  })
}

/** Cancels a payout that has not gone out: its money goes back. Throws `not_found` and `payout_transition_not_allowed`. */
export const cancelPayout = (deps: Deps, mover: Mover): Promise<Payout> =>
  move(deps, mover, { to: 'CANCELLED', action: 'payout.cancelled', details: {} }, (payout) => {
    if (payout.status === 'CANCELLED') return undefined
    refuseMove(payout, 'CANCELLED')
    return ENDED
  })

const ENDED = { dueAt: null, needsResolution: false }

type Target = {
  to: PayoutStatus
  action: z.infer<typeof ActionName>
  details: Record<string, unknown>
}

/**
 * Moves a payout and records who did. `edit` returns the further fields to change, or undefined where the payout was moved
 * before, and then nothing is stored.
 */
const move = (
  deps: Deps,
  { id, administrator: by }: Mover,
  { to, action, details }: Target,
  edit: (payout: Payout) => Partial<Payout> | undefined,
): Promise<Payout> => {
  const also = ({ agentId }: Payout) => [
    deps.journal.record(newAction(deps.newId, { by, subject: id, action, details: { agentId, ...details } })),
  ]
  return changePayout(deps, id, { reason: by, also }, (payout) => {
    const edited = edit(payout)
    return edited && { status: to, ...edited }
  })
}

/** Throws `payout_transition_not_allowed` where the provider of a payout that needs a resolution knows it after all. */
async function refuseKnown(
  deps: SettleDeps,
  id: PayoutId,
  isDone: (payout: Payout) => boolean,
  to: PayoutStatus,
): Promise<void> {
  const payout = await deps.payouts.get(id)
  if (!payout?.needsResolution || isDone(payout)) return
  // Urgent: the provider is asked even while its circuit breaker is open, since an administrator waits for the answer.
  const reading = await readPayout(deps, payout, { isUrgent: true })
  if (reading.kind !== 'known') return
  const { status } = reading.payout
  throw new DomainError('payout_transition_not_allowed', {
    detail: 'The provider knows this payout',
    extensions: { from: status, to, allowed: allowedMoves(reading.payout) },
  })
}
