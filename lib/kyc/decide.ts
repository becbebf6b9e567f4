import * as z from 'zod'
import type { Account } from '#lib/accounts/account'
import type { AccountStore } from '#lib/accounts/account-store'
import { allowedMoves, currentStatus, KycReason, type KycState, KycStatus } from '#lib/accounts/kyc-state'
import { type Journal, newAction } from '#lib/journal/journal'
import { type Clock, Timestamp, timestamp } from '#lib/kernel/clock'
import { DomainError, invalidField } from '#lib/kernel/domain-error'
import { type NewId, UserId } from '#lib/kernel/id'
import type { Once } from '#lib/kernel/once'
import { retryConflicts } from '#lib/kernel/retry'
import { text } from '#lib/kernel/text'
import { refuseStale, type SeenVersion } from '#lib/kernel/version'
import { decisionWrites } from './decision-writes.ts'
import { type KycDocument, unseenOf } from './document.ts'
import type { KycStore } from './kyc-store.ts'
import { reviewVersion } from './review-version.ts'

/** A decision of an administrator. `message` is for the person, `note` for administrators only. */
export const KycDecision = z.object({
  /** Ids are opaque to clients: an id of a wrong shape is unknown, not invalid. */
  userId: z.string().min(1).max(100).meta({ example: 'usr_01KAH3M6XQ8ZJ4T2V7W9C5RBND' }),
  kycStatus: KycStatus,
  reasons: z.array(KycReason).max(KycReason.options.length).nullish(),
  message: text({ max: 1000 }).nullish(),
  note: text({ max: 1000 }).nullish(),
  expiresAt: z.iso.datetime({ offset: true }).nullish(),
})

/** A decision as it was taken. */
export const KycDecisionView = z
  .object({
    userId: UserId,
    kycStatus: KycStatus,
    previousStatus: KycStatus.meta({ example: 'PENDING' }),
    reasons: z.array(KycReason).meta({ example: [] }),
    message: z.string().nullable(),
    note: z.string().nullable().meta({ example: 'Checked by telephone.' }),
    expiresAt: Timestamp.nullable().meta({ example: '2026-12-20T17:00:00.000Z' }),
    decidedBy: z.string().nullable().meta({ example: 'adm-7f3a' }),
    decidedAt: Timestamp.nullable().meta({ example: '2026-11-20T17:00:00.000Z' }),
  })
  .meta({ id: 'KycDecision' })

type Deps = {
  once: Once<z.input<typeof KycDecisionView>>
  accounts: AccountStore
  kycStore: KycStore
  journal: Journal
  now: Clock
  newId: NewId
}

/**
 * Decides a person's identity. Each decision is conditional on the state that was read, and is stored and announced in
 * one transaction; of two simultaneous ones the second sees the first. A decision that repeats the person's status and
 * fields records nothing unless they wait for review. A person with documents that no administrator has seen stays in
 * the queue. Throws `not_found`, `version_conflict` and `kyc_transition_not_allowed`.
 */
export async function decideKyc(
  deps: Deps,
  administrator: string,
  input: z.infer<typeof KycDecision>,
  seen: SeenVersion,
) {
  const { accounts, kycStore, once, now } = deps
  const wanted = parseDecision(input, now())
  return retryConflicts(async () => {
    const userId = UserId.safeParse(input.userId).data
    const account = userId && (await accounts.get(userId))
    if (!account) throw new DomainError('not_found', { detail: 'There is no such user' })
    const from = currentStatus(account.kyc, now())
    if (from === input.kycStatus && isInForce(account.kyc, wanted)) {
      const view = viewDecision(account, account.kyc, from)
      await kycStore.commit(once.receipt(view))
      return view
    }
    const documents = await kycStore.listDocuments(account.id)
    refuseStale(reviewVersion(account, documents), seen)
    if (from !== input.kycStatus) requireAllowedMove(from, input.kycStatus)

    const at = timestamp(now())
    const kyc: KycState = {
      ...wanted,
      status: input.kycStatus,
      previousStatus: from,
      decidedBy: administrator,
      decidedAt: at,
      decisionCount: account.kyc.decisionCount + 1,
      documentCount: account.kyc.documentCount,
      agentWaits: false,
      waitingSince: waitingSinceAfter(input.kycStatus, account.kyc, documents, at),
    }
    const { expiresAt } = kyc
    const isAnnounced = expiresAt !== null && (await kycStore.isExpiryAnnounced(account.id, expiresAt))
    const view = viewDecision(account, kyc, kyc.status)
    const also = [
      ...once.receipt(view),
      ...decisionWrites(deps, account, from, kyc, at, { isAnnounced }),
      entryOf(deps, administrator, account, kyc),
    ]
    await accounts.save(account, { ...account, kyc, updatedAt: at }, also)
    return view
  })
}

function entryOf({ journal, newId }: Deps, by: string, { id }: Account, kyc: KycState) {
  const details = { from: kyc.previousStatus, to: kyc.status, reasons: kyc.reasons }
  return journal.record(newAction(newId, { by, subject: id, action: 'kyc.decided', details }))
}

/** Returns since when a person waits after a decision: PENDING and an unseen document keep them in the queue. */
function waitingSinceAfter(
  status: KycStatus,
  { waitingSince }: KycState,
  documents: readonly KycDocument[],
  at: Timestamp,
): Timestamp | null {
  const [unseen] = unseenOf(documents)
  if (status !== 'PENDING' && unseen === undefined) return null
  return waitingSince ?? unseen?.createdAt ?? at
}

const parseDecision = (input: z.infer<typeof KycDecision>, now: Date) => ({
  reasons: [...new Set(input.reasons)],
  message: input.message ?? null,
  note: input.note ?? null,
  expiresAt: expiryOf(input, now),
})

function expiryOf({ kycStatus, expiresAt }: z.infer<typeof KycDecision>, now: Date): Timestamp | null {
  if (expiresAt === null || expiresAt === undefined) return null
  if (kycStatus !== 'VERIFIED') throw invalidField('expiresAt', 'is only for VERIFIED')
  const moment = new Date(expiresAt)
  if (moment <= now) throw invalidField('expiresAt', 'must be in the future')
  // In UTC the last evening of the year 9999 may be in the year 10000, which no timestamp can hold.
  const { data } = Timestamp.safeParse(moment.toISOString())
  if (!data) throw invalidField('expiresAt', 'must be before the year 10000')
  return data
}

function requireAllowedMove(from: KycStatus, to: KycStatus): void {
  const allowed = allowedMoves(from)
  if (allowed.includes(to)) return
  throw new DomainError('kyc_transition_not_allowed', {
    detail: `${from} cannot become ${to}`,
    extensions: { from, to, allowed },
  })
}

/** Whether these fields are those of the last decision, and the person does not wait for review. */
const isInForce = (
  kyc: KycState,
  wanted: Pick<KycState, 'reasons' | 'message' | 'note' | 'expiresAt'>,
): boolean =>
  kyc.waitingSince === null &&
  kyc.reasons.length === wanted.reasons.length &&
  kyc.reasons.every((reason) => wanted.reasons.includes(reason)) &&
  kyc.message === wanted.message &&
  kyc.note === wanted.note &&
  kyc.expiresAt === wanted.expiresAt

/** Returns a decision for the answer, whose schema leaves out the other fields of `kyc`. */
const viewDecision = (
  { id }: Account,
  kyc: KycState,
  kycStatus: KycStatus,
): z.infer<typeof KycDecisionView> => ({
  ...kyc,
  userId: id,
  kycStatus,
})
