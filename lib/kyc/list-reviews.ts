import * as z from 'zod'
import type { Account } from '#lib/accounts/account'
import { currentStatus, KycReason, KycStatus } from '#lib/accounts/kyc-state'
import type { UserLists } from '#lib/accounts/user-lists'
import { type ClaimReader, claimedBy } from '#lib/claims/claim'
import { type Journal, newListAction } from '#lib/journal/journal'
import { type Clock, Timestamp } from '#lib/kernel/clock'
import type { Cursors } from '#lib/kernel/cursor'
import { type NewId, UserId } from '#lib/kernel/id'
import { answerPage, PageQuery } from '#lib/kernel/page'

/** Which people to show: those who wait for a decision, unless a status is asked for. */
export const ReviewQuery = PageQuery.extend({
  status: KycStatus.optional(),
  awaitingReview: z.enum(['true', 'false']).optional(),
})

/** A person in the queue, with the facts by which an administrator chooses the next one. */
export const ReviewItem = z
  .object({
    userId: UserId,
    name: z.string().nullable().meta({ example: 'Awa Koné' }),
    email: z.string().meta({ example: 'awa@example.com' }),
    isAgent: z.boolean(),
    kycStatus: KycStatus,
    reasons: z.array(KycReason).meta({ example: [] }),
    documentCount: z.int().meta({ example: 2 }),
    waitingSince: Timestamp.nullable(),
    decidedAt: Timestamp.nullable().meta({ example: '2026-11-20T17:00:00.000Z' }),
    createdAt: Timestamp,
    claimedBy: z.string().nullable().meta({
      description: 'The administrator who is at it',
      example: 'adm-7f3a',
    }),
  })
  .meta({ id: 'KycReviewItem' })

type Deps = {
  userLists: UserLists
  claims: ClaimReader
  cursors: Cursors
  journal: Journal
  now: Clock
  newId: NewId
}

/**
 * Lists the people who wait for a decision, the longest wait first. `status` alone lists everyone of that status, sorted
 * by the start of the wait or the last decision; with `awaitingReview=true` it lists those of them who wait.
 * `awaitingReview=false` alone lists everyone, oldest first. The journal records the reading.
 */
export async function listReviews(deps: Deps, administrator: string, query: z.infer<typeof ReviewQuery>) {
  const page = await readReviews(deps, query)
  const action = { by: administrator, subject: 'kyc', action: 'kyc.listed' } as const
  const ids = page.items.map(({ userId }) => userId)
  await deps.journal.commit([deps.journal.record(newListAction(deps.newId, action, query, ids))])
  return page
}

async function readReviews(deps: Deps, query: z.infer<typeof ReviewQuery>) {
  const { userLists, cursors, now } = deps
  const { limit, cursor, status, awaitingReview } = query
  const isWaiting = awaitingReview === undefined ? status === undefined : awaitingReview === 'true'
  const filters = { status, isWaiting }
  const list = isWaiting ? 'WAITING' : (status ?? 'ALL')
  return answerPage(
    cursors,
    { list: 'kyc-reviews', filters, position: z.string() },
    cursor,
    async (after) => {
      const { items, next } = await userLists.page({ list, limit, after })
      const claims = await claimedBy(
        deps,
        items.map(({ id }) => id),
      )
      const people = items.map((account) => ({
        ...reviewItem(account, now()),
        claimedBy: claims.get(account.id) ?? null,
      }))
      // The list WAITING holds every status, and a VERIFIED person may have expired since.
      return { items: people.filter(({ kycStatus }) => status === undefined || kycStatus === status), next }
    },
  )
}

const reviewItem = ({ id, name, email, agent, kyc, createdAt }: Account, now: Date) => ({
  userId: id,
  name,
  email,
  isAgent: agent !== null,
  kycStatus: currentStatus(kyc, now),
  reasons: kyc.reasons,
  documentCount: kyc.documentCount,
  waitingSince: kyc.waitingSince,
  decidedAt: kyc.decidedAt,
  createdAt,
})
